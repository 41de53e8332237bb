import { Agent, type ConfirmHandler } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { expect, it } from 'vitest'
import {
  agentAfter,
  agentFor,
  callsOf,
  dieAt,
  leftOver,
  outcomes,
  Ran,
  signal,
  stateOf,
  waiting,
} from './run-kit.ts'

const never = () => new Promise<never>(() => {})

it.each([
  ['of the step', { limits: { maxCallsPerStep: 1 } }],
  ['of the run', { limits: { maxToolCalls: 1 } }],
])(
  'a call over the limit %s stays over it when the page dies while another one is asked about',
  async (_limit, limits) => {
    const ran = new Ran()
    const { reached, reach } = signal()
    const tools = [
      ran.tool('a', { needsApproval: true, parallelSafe: true }),
      ran.tool('b', { parallelSafe: true }),
    ]
    const confirm: ConfirmHandler = () => {
      reach()
      return never()
    }
    const left = await dieAt(
      (store) => agentFor(callsOf('a', 'b'), { tools, confirm, store, ...limits }),
      reached,
    )
    const agent = agentAfter({ tools, store: left, ...limits })
    const { state, pending } = await leftOver(agent)
    const result = await agent.resume(state, { [waiting({ pending })[0] ?? '']: true })
    expect([outcomes(result), ran.log]).toEqual([['success', 'limit'], ['a 1']])
  },
)

it('a page that dies while the model is asked uses up no step', async () => {
  const ran = new Ran()
  const { reached, reach } = signal()
  const tools = [ran.tool('a')]
  const limits = { maxSteps: 1 }
  const silent = {
    name: 'silent',
    stream: () => {
      reach()
      return { [Symbol.asyncIterator]: () => ({ next: never }) }
    },
  }
  const left = await dieAt((store) => new Agent({ model: silent, tools, limits, store }), reached)
  const model = new ScriptedModel([callsOf('a'), 'done'])
  const agent = new Agent({ model, tools, limits, store: left })
  await agent.resume((await leftOver(agent)).state)
  expect(ran.log).toEqual(['a 1'])
})

it('a call behind an open question waits though one between them is over', async () => {
  const ran = new Ran()
  const gated = { needsApproval: true }
  const tools = [ran.tool('a', gated), ran.tool('b', gated), ran.tool('c')]
  const first = await agentFor(callsOf('a', 'b', 'c'), { tools }).run('go')
  const [a = '', b = ''] = waiting(first)
  const second = await agentAfter({ tools }).resume(stateOf(first), { [b]: false })
  expect([second.status, ran.log]).toEqual(['paused', []])
  const third = await agentAfter({ tools }).resume(stateOf(second), { [a]: true })
  expect([outcomes(third), ran.log]).toEqual([
    ['success', 'denied', 'success'],
    ['a 1', 'c 3'],
  ])
})
