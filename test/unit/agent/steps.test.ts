import {
  Agent,
  CallDeferred,
  external,
  finalAnswer,
  type RunResult,
  type RunState,
  type Tool,
  Toolset,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { Log, simple, wait } from '../execution/step-kit.ts'
import { calls, collect, expectValidHistory, offeredBy, outcomesOf, play } from './agent-kit.ts'

const asks = (name: string, execute = vi.fn(() => `of ${name}`)) => ({
  execute,
  tool: simple(name, execute, { needsApproval: true }) as unknown as Tool,
})

function stateOf(result: RunResult): RunState {
  expect(result.status).toBe('paused')
  return JSON.parse(JSON.stringify(result.state)) as RunState
}

describe('a step of a run', () => {
  it('S7 that fails in part keeps its open question, and the failure its own result', async () => {
    const boom = simple('boom', () => Promise.reject(new Error('broken'))) as unknown as Tool
    const { tool: needsOk, execute } = asks('needs_ok')
    const model = new ScriptedModel([calls('needs_ok', 'boom'), 'done'])
    const agent = new Agent({ model, tools: [needsOk, boom], confirm: 'pause' })
    const paused = await agent.run('go')
    expect(paused.pending.map(({ toolName }) => toolName)).toEqual(['needs_ok'])
    const { callId } = paused.pending[0] as { callId: string }
    const result = await agent.resume(stateOf(paused), { [callId]: true })
    expect(outcomesOf(result)).toEqual([['success', 'error']])
    expect(execute).toHaveBeenCalledOnce()
    expectValidHistory(result.messages)
  })

  it('runs all that wait for nobody and then pauses with every question; what stands behind them waits', async () => {
    const log = new Log()
    const tools = [
      log.tool('quick', { parallelSafe: true }),
      log.tool('alone'),
      asks('one').tool,
      asks('two').tool,
    ] as unknown as Tool[]
    const turn = ['one', 'quick', 'two', 'alone', 'quick'].map((name, index) => ({
      name,
      input: name === 'one' || name === 'two' ? {} : { id: `${name}${index}` },
    }))
    const model = new ScriptedModel([turn, 'done'])
    const agent = new Agent({ model, tools, confirm: 'pause' })
    const paused = await agent.run('go')
    expect(paused.pending.map(({ toolName }) => toolName)).toEqual(['one', 'two'])
    expect(log.lines).toEqual(['+quick1', '-quick1'])
    const answers = Object.fromEntries(
      paused.pending.map(({ callId, toolName }) => [callId, toolName === 'one']),
    )
    const result = await agent.resume(stateOf(paused), answers)
    expect(outcomesOf(result)).toEqual([['success', 'success', 'denied', 'success', 'success']])
    expect(log.lines.slice(2)).toEqual(['+alone3', '-alone3', '+quick4', '-quick4'])
  })

  it('S20 asks about its own calls: a no to one says nothing about the next', async () => {
    const [one, two] = [asks('one'), asks('two')]
    const model = new ScriptedModel([calls('one'), calls('two'), 'done'])
    const agent = new Agent({ model, tools: [one.tool, two.tool], confirm: 'pause' })
    const first = await agent.run('go')
    const second = await agent.resume(stateOf(first), { [first.pending[0]?.callId ?? '']: false })
    expect(second.pending.map(({ toolName }) => toolName)).toEqual(['two'])
    const third = await agent.resume(stateOf(second), { [second.pending[0]?.callId ?? '']: true })
    expect(third.status).toBe('done')
    expect([one.execute.mock.calls.length, two.execute.mock.calls.length]).toEqual([0, 1])
  })

  it('lets nothing of a cut-off message wait for an answer', async () => {
    const confirm = vi.fn(() => true)
    const later = simple('later', () => {
      throw new CallDeferred()
    }) as unknown as Tool
    const elsewhere = external([{ name: 'elsewhere', description: 'Elsewhere.' }])
    const turn = { calls: calls('ask', 'later', 'elsewhere') as never, finish: 'length' as const }
    const tools = [asks('ask').tool, later, elsewhere] as never
    const { result } = await play([turn, 'done'], { tools, confirm })
    expect(outcomesOf(result)).toEqual([['cut-off', 'cut-off', 'cut-off']])
    expect(confirm).not.toHaveBeenCalled()
  })

  it('P28 that was cut off goes on with another request, and an answer that was ends the run', async () => {
    const ran = vi.fn(() => 'ok')
    const a = simple('a', ran) as unknown as Tool
    const cut = { text: 'I will', calls: calls('a') as never, finish: 'content-filter' as const }
    const { result, model } = await play([cut, calls('a'), { text: 'So', finish: 'content-filter' }], {
      tools: [a],
    })
    expect(model.requests).toHaveLength(3)
    expect(ran).toHaveBeenCalledOnce()
    expect(result).toMatchObject({ status: 'stopped', finishReason: 'content-filter', finalOutput: 'So' })
    expect(result.steps[0]?.results[0]?.response.text).toContain('cut off (content-filter)')
    expectValidHistory(result.messages)
  })

  it('P25 goes to the model once, when the last of its calls is over', async () => {
    const slow = [40, 5, 20].map((ms, index) => simple(`t${index}`, () => wait(ms)) as unknown as Tool)
    const { model } = await play([calls('t0', 't1', 't2'), 'done'], { tools: slow })
    expect(model.requests).toHaveLength(2)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ name: 't0' }, { name: 't1' }, { name: 't2' }],
    })
  })

  it('drops keys that the schema does not know, and says which', async () => {
    const strict = tool({
      name: 'loose',
      description: 'Takes a.',
      inputSchema: v.object({ a: v.number() }),
      execute: (input) => JSON.stringify(input),
    })
    const turn = [{ name: 'loose', input: { a: 1, b: 2 } }]
    const { result } = await play([turn, 'done'], { tools: [strict] as never })
    expect(result.steps[0]?.results[0]).toMatchObject({ droppedKeys: ['b'], response: { text: '{"a":1}' } })
  })

  it('tells of its calls in order: read, started, over, and of the step last', async () => {
    const a = simple('a', () => 'ok') as unknown as Tool
    const events = await collect(
      new Agent({ model: new ScriptedModel([calls('a', 'a'), 'ok']), tools: [a] }).stream('go'),
    )
    const types = events.map(({ type }) => type).slice(1)
    expect(types.slice(0, 4)).toEqual(['step-start', 'call', 'call', 'call-started'])
    expect(types.indexOf('step-end')).toBe(7)
    expect(events[8]).toMatchObject({ results: [{ outcome: 'success' }, { outcome: 'success' }] })
  })

  it('D1 runs the middleware of the agent round that of its toolsets, and final answers pass both', async () => {
    const lines: string[] = []
    const a = simple('a', () => 'ok') as unknown as Tool
    const source = new Toolset([a]).wrapped({ before: () => void lines.push('toolset') })
    const { result, model } = await play([calls('a'), [{ name: 'final_answer', input: { n: 1 } }]], {
      tools: [source],
      output: finalAnswer(v.object({ n: v.number() })),
      middleware: [{ before: ({ name }) => void lines.push(`agent ${name}`) }],
    })
    expect(lines).toEqual(['agent a', 'toolset', 'agent final_answer'])
    expect(offeredBy(model)[0]).toEqual(['final_answer', 'a'])
    expect(result.output).toEqual({ n: 1 })
  })
})

it('failFast of an agent aborts the other calls of the step, and the run goes on', async () => {
  const boom = simple('boom', () => Promise.reject(new Error('broken'))) as unknown as Tool
  const slow = simple('slow', (_input: unknown, { signal }: { signal: AbortSignal }) =>
    wait(5).then(() => signal.throwIfAborted()),
  ) as unknown as Tool
  const { result } = await play([calls('slow', 'boom'), 'done'], { tools: [boom, slow], failFast: true })
  expect(outcomesOf(result)).toEqual([['cancelled', 'error']])
  expect(result.status).toBe('done')
})
