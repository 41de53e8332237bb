import { tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { hear, say } from '../../support/worker/say.ts'
import { writeForEver } from './write-for-ever.ts'

const parallel = { parallelSafe: true, effect: 'none' } as const
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const timed = v.object({ ms: v.number(), id: v.optional(v.string(), 'nobody') })
const named = v.object({ id: v.optional(v.string(), 'nobody') })

const add = tool({
  name: 'add',
  description: 'Add two numbers.',
  inputSchema: v.object({ a: v.number(), b: v.number() }),
  ...parallel,
  execute: ({ a, b }) => a + b,
})

async function waitFor({ ms, id }: { ms: number; id: string }): Promise<string> {
  say(`${id} ran`)
  await sleep(ms)
  return id
}

const wait = tool({
  name: 'wait',
  description: 'Wait, whatever the signal says; it changes nothing.',
  inputSchema: timed,
  ...parallel,
  execute: waitFor,
})

const waitForWord = tool({
  name: 'wait_for_word',
  description: 'Wait until the test says to go on; it changes nothing.',
  inputSchema: named,
  ...parallel,
  execute: async ({ id }) => {
    const word = hear(`${id} goes on`)
    say(`${id} ran`)
    await word
    return id
  },
})

const waitLocal = tool({
  name: 'wait_local',
  description: 'Wait, as a tool that changes something.',
  inputSchema: timed,
  parallelSafe: true,
  execute: waitFor,
})

const touch = tool({
  name: 'touch',
  description: 'Answer at once, as a tool that changes something.',
  inputSchema: named,
  parallelSafe: true,
  execute: ({ id }) => {
    say(`${id} ran`)
    return id
  },
})

const burn = tool({
  name: 'burn',
  description: 'Compute without a pause.',
  inputSchema: timed,
  ...parallel,
  execute: ({ ms, id }) => {
    say(`${id} ran`)
    const end = performance.now() + ms
    while (performance.now() < end);
    return id
  },
})

const spin = tool({
  name: 'spin',
  description: 'Compute for ever.',
  inputSchema: named,
  ...parallel,
  execute: ({ id }) => {
    say(`${id} ran`)
    while (true);
  },
})

const spinBriefly = tool({
  name: 'spin_briefly',
  description: 'Compute for ever, with a deadline of its own.',
  timeoutMs: 700,
  ...parallel,
  execute: () => {
    while (true);
  },
})

const spinSoon = tool({
  name: 'spin_soon',
  description: 'Compute for ever once the calls beside it have started, with a deadline of its own.',
  timeoutMs: 900,
  ...parallel,
  execute: async () => {
    await sleep(200)
    while (true);
  },
})

const deaf = tool({
  name: 'deaf',
  description: 'Wait for ever, whatever the signal says.',
  inputSchema: named,
  ...parallel,
  execute: ({ id }) => {
    say(`${id} ran`)
    return new Promise<never>(() => {})
  },
})

const listenToSignal = tool({
  name: 'listen_to_signal',
  description: 'Wait until the signal aborts, tidy up for a while, and stop.',
  inputSchema: timed,
  ...parallel,
  execute: async ({ ms, id }, { signal }) => {
    say(`${id} ran`)
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    await sleep(ms)
    say(`${id} stopped: ${signal.reason.name}: ${signal.reason.message}`)
    throw signal.reason
  },
})

let total = 0
const count = tool({
  name: 'count',
  description: 'Count up; the sum is kept.',
  inputSchema: v.object({ by: v.optional(v.number(), 1) }),
  execute: ({ by }) => {
    total += by
    return total
  },
})

let together = 0
const alone = tool({
  name: 'alone',
  description: 'Tell how many calls of this tool run now.',
  inputSchema: timed,
  execute: async ({ ms }) => {
    together += 1
    const seen = together
    await sleep(ms)
    together -= 1
    return seen
  },
})

const spinAlone = tool({
  name: 'spin_alone',
  description: 'Compute for ever, on the lane that keeps the state.',
  execute: () => {
    while (true);
  },
})

function loopLater({ id }: { id: string }): string {
  setTimeout(() => {
    say(`${id} loops`)
    while (true);
  })
  return 'left'
}

const leaveLoop = tool({
  name: 'leave_loop',
  description: 'Answer at once and leave an endless loop behind.',
  inputSchema: named,
  ...parallel,
  execute: loopLater,
})

const leaveLoopAlone = tool({
  name: 'leave_loop_alone',
  description: 'As leave_loop, on the lane that keeps the state.',
  inputSchema: named,
  execute: loopLater,
})

const quit = tool({
  name: 'quit',
  description: 'End the worker from inside, without an answer.',
  timeoutMs: 700,
  ...parallel,
  execute: () => {
    self.close()
    return new Promise<never>(() => {})
  },
})

const steps = tool({
  name: 'steps',
  description: 'Report progress many times.',
  inputSchema: v.object({ times: v.number() }),
  ...parallel,
  execute: ({ times }, { progress, log }) => {
    for (let step = 1; step <= times; step += 1) progress({ step })
    log('counted', { times })
    return times
  },
})

const generate = tool({
  name: 'generate',
  description: 'Yield progress; the last value is the result.',
  inputSchema: v.object({ times: v.number() }),
  ...parallel,
  execute: async function* ({ times }) {
    for (let step = 1; step <= times; step += 1) {
      await sleep(1)
      yield step
    }
  },
})

export const tools = [
  add,
  wait,
  waitForWord,
  waitLocal,
  touch,
  burn,
  spin,
  spinBriefly,
  spinSoon,
  deaf,
  listenToSignal,
  count,
  alone,
  spinAlone,
  leaveLoop,
  leaveLoopAlone,
  quit,
  writeForEver,
  steps,
  generate,
] as const

serveTools(tools)
