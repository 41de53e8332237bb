import { ApprovalRequired, ToolFailed, tool } from 'offstage'
import { serveTools } from 'offstage/worker'
import * as v from 'valibot'
import { say } from '../../support/worker/say.ts'

const parallel = { parallelSafe: true, effect: 'none' } as const
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const checkedSlowly = tool({
  name: 'checked_slowly',
  description: 'The check takes a while.',
  inputSchema: v.object({ id: v.string() }),
  parallelSafe: true,
  check: async ({ id }) => {
    say(`${id} checks`)
    await sleep(2_000)
  },
  execute: ({ id }) => {
    say(`${id} ran`)
    return id
  },
})

const spin = tool({
  name: 'spin',
  description: 'Compute for ever.',
  inputSchema: v.object({ id: v.string() }),
  timeoutMs: 300,
  ...parallel,
  execute: ({ id }) => {
    say(`${id} ran`)
    while (true);
  },
})

const spend = tool({
  name: 'spend',
  description:
    'The check knows a limit above which a person must be asked, and one above which there is no way.',
  inputSchema: v.object({ amount: v.number() }),
  ...parallel,
  check: ({ amount }) => {
    if (amount > 1_000) throw new ToolFailed(`${amount} is more than there is`)
    if (amount > 100) throw new ApprovalRequired(`${amount} is a lot`)
  },
  execute: ({ amount }) => `spent ${amount}`,
})

const askTwice = tool({
  name: 'ask_twice',
  description: 'Ask in the check, and once more when it runs with a yes.',
  ...parallel,
  check: () => {
    throw new ApprovalRequired('the check asks')
  },
  execute: () => {
    throw new ApprovalRequired('the tool asks again')
  },
})

export const tools = [checkedSlowly, spin, spend, askTwice] as const

serveTools(tools)
