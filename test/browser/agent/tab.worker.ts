import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { say } from '../../support/worker/say.ts'
import { released } from './release.ts'

/** A tool that changes something, asks first, and stops at the place that its input names until it is released. */
const act = tool({
  name: 'act',
  description: 'Act.',
  inputSchema: v.object({ id: v.string(), place: v.string() }),
  parallelSafe: true,
  needsApproval: true,
  // The name of the worker stands for the edition of its code.
  version: self.name,
  check: async ({ id, place }) => {
    if (place !== 'preflight') return
    const goOn = released(id)
    say(`${id} at preflight`)
    await goOn
  },
  execute: async ({ id, place }) => {
    say(`${id} ran`)
    if (place !== 'executing') return self.name
    const goOn = released(id)
    say(`${id} at executing`)
    await goOn
    return self.name
  },
})

export const tools = [act]
serveTools(tools)
