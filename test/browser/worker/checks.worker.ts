import { ApprovalRequired, ModelRetry, ToolFailed, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { say } from '../../support/worker/say.ts'

const parallel = { parallelSafe: true, effect: 'none' } as const
const named = v.object({ id: v.optional(v.string(), 'nobody') })
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const checked = tool({
  name: 'checked',
  description: 'A check decides.',
  inputSchema: v.object({ so: v.picklist(['ask', 'retry', 'fail', 'throw', 'pass']) }),
  ...parallel,
  check: ({ so }) => {
    if (so === 'ask') throw new ApprovalRequired('the check wants a yes')
    if (so === 'retry') throw new ModelRetry('take another one')
    if (so === 'fail') throw new ToolFailed('there is none')
    if (so === 'throw') throw new RangeError('the check is broken')
  },
  execute: ({ so }) => so,
})

const payment = tool({
  name: 'payment',
  description: 'Large amounts need a yes.',
  inputSchema: v.object({ amount: v.number(), account: v.optional(v.string(), 'main') }),
  parallelSafe: true,
  effect: ({ amount }) => (amount > 100 ? 'external' : 'none'),
  needsApproval: ({ amount }) => amount > 100,
  concurrencyKey: ({ account }) => account,
  execute: async ({ amount }) => {
    await sleep(150)
    return `paid ${amount}`
  },
})

const checkSpins = tool({
  name: 'check_spins',
  description: 'The check never ends, and lets nothing else run.',
  inputSchema: named,
  ...parallel,
  check: () => {
    while (true);
  },
  execute: ({ id }) => say(`${id} ran`),
})

const checkIsSilent = tool({
  name: 'check_is_silent',
  description: 'The check waits for ever.',
  inputSchema: named,
  ...parallel,
  check: ({ id }, { signal }) => {
    say(`${id} checks`)
    signal.addEventListener('abort', () => say(`${id} was told: ${signal.reason.name}`))
    return new Promise(() => {})
  },
  execute: ({ id }) => say(`${id} ran`),
})

const approvalSpins = tool({
  name: 'approval_spins',
  description: 'Whether a person is asked is never decided.',
  inputSchema: named,
  ...parallel,
  needsApproval: () => {
    while (true);
  },
  execute: ({ id }) => say(`${id} ran`),
})

const approvalIsSilent = tool({
  name: 'approval_is_silent',
  description: 'Whether a person is asked is never answered.',
  ...parallel,
  needsApproval: () => new Promise<boolean>(() => {}),
  execute: () => 'approved',
})

let total = 0
const keep = tool({
  name: 'keep',
  description: 'Keep a sum; the check knows it.',
  inputSchema: v.object({ by: v.number() }),
  check: ({ by }) => {
    if (by < 0) while (true);
    if (total + by > 10) throw new ToolFailed(`there are ${total} already`)
  },
  execute: ({ by }) => {
    total += by
    return total
  },
})

const burn = tool({
  name: 'burn',
  description: 'Compute without a pause.',
  inputSchema: v.object({ ms: v.number(), id: v.optional(v.string(), 'nobody') }),
  parallelSafe: true,
  execute: ({ ms, id }) => {
    say(`${id} ran`)
    const end = performance.now() + ms
    while (performance.now() < end);
    return id
  },
})

export const tools = [
  checked,
  payment,
  checkSpins,
  checkIsSilent,
  approvalSpins,
  approvalIsSilent,
  keep,
  burn,
] as const

serveTools(tools)
