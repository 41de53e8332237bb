import { ApprovalRequired, CallDeferred, ModelRetry, type RunContext, ToolFailed, tool } from 'offstage'
import * as v from 'valibot'

const parallel = { parallelSafe: true, effect: 'none' } as const

const add = tool({
  name: 'add',
  description: 'Adds.',
  inputSchema: v.object({ a: v.number(), b: v.optional(v.number(), 1) }),
  ...parallel,
  execute: ({ a, b }) => a + b,
})

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: v.object({ amount: v.number() }),
  parallelSafe: true,
  needsApproval: ({ amount }) => amount > 100,
  effect: ({ amount }) => (amount > 0 ? 'external' : 'none'),
  execute: ({ amount }) => `paid ${amount}`,
})

const report = tool({
  name: 'report',
  description: 'Reports three times.',
  ...parallel,
  execute: async function* () {
    yield 1
    yield 2
    yield 3
    return 'reported'
  },
})

const wait = tool({
  name: 'wait',
  description: 'Says that it waits, and waits until it is stopped.',
  ...parallel,
  execute: (_input, { signal, progress }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      progress('waiting')
    }),
})

const ends: Record<string, () => unknown> = {
  retry: () => new ModelRetry('again, with more'),
  failed: () => new ToolFailed('no way'),
  approval: () => new ApprovalRequired('this is big'),
  deferred: () => new CallDeferred({ ticket: 7 }),
  crash: () => new RangeError('too far'),
}

const end = tool({
  name: 'end',
  description: 'Ends as it is told.',
  inputSchema: v.object({ how: v.picklist(Object.keys(ends)) }),
  ...parallel,
  execute: ({ how }) => {
    throw ends[how]?.()
  },
})

/** What `give` gives, by name. */
export const given: Record<string, unknown> = {
  zero: 0,
  false: false,
  text: '',
  list: [],
  null: null,
  undefined,
}

const give = tool({
  name: 'give',
  description: 'Gives a value.',
  inputSchema: v.object({ what: v.picklist(Object.keys(given)) }),
  ...parallel,
  execute: ({ what }) => given[what],
})

const whoami = tool({
  name: 'whoami',
  description: 'Says who the user is, and in which step of which run.',
  ...parallel,
  execute: (_input, { deps, runId, step }: RunContext<{ readonly user: string }>) =>
    `${deps.user} ${runId} ${step}`,
})

let calls = 0
const count = tool({
  name: 'count',
  description: 'Counts its calls.',
  execute: () => {
    calls += 1
    return calls
  },
})

/** What every source of the contract must offer. */
export const contractTools: [
  typeof add,
  typeof pay,
  typeof report,
  typeof wait,
  typeof end,
  typeof give,
  typeof whoami,
  typeof count,
] = [add, pay, report, wait, end, give, whoami, count]
