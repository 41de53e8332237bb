import { tool } from 'offstage'
import * as v from 'valibot'

/** How many of a thousand lines are errors. */
const errorRates = { checkout: 37, search: 11, mail: 4 }

export const countErrors = tool({
  name: 'count_errors',
  description: 'Read the log of a service and count its errors.',
  inputSchema: v.object({ service: v.picklist(['checkout', 'search', 'mail']) }),
  parallelSafe: true,
  effect: 'none',
  execute: ({ service }, { progress }) => {
    const lines = writeLog(errorRates[service])
    progress({ lines: lines.length })
    const errors = lines.filter((line) => /\bERROR\b.*status=5\d\d/.test(line)).length
    return `${service}: ${errors} errors in ${lines.length} lines`
  },
})

// A log that is the same each time, so that the demo needs no file.
function writeLog(errorRate: number): string[] {
  let state = errorRate
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  return Array.from({ length: 200_000 }, (_, index) => {
    const failed = random() * 1_000 < errorRate
    return `${index} ${failed ? 'ERROR' : 'INFO'} path=/${Math.floor(random() * 90)} status=${failed ? 503 : 200}`
  })
}
