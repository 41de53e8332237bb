import { Agent, type AgentEvent, finalAnswer, type Message, type Tool, ToolRegistrationError } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { simple } from '../execution/step-kit.ts'
import { calls, collect } from './agent-kit.ts'
import { agentAfter, agentFor, Ran, stateOf, waiting } from './run-kit.ts'

const a = simple('a', () => 'of a') as unknown as Tool

/** The conversation as it is told, event by event. */
function told(events: readonly AgentEvent[]): readonly Message[] {
  return events.flatMap((event) =>
    event.type === 'run-start' || event.type === 'step-end' ? event.messages : [],
  )
}

function resultOf(events: readonly AgentEvent[]) {
  const last = events.at(-1)
  if (last?.type !== 'done' && last?.type !== 'paused') throw new Error(`The last event is ${last?.type}.`)
  return last.result
}

describe('the events of a run', () => {
  it('tell the whole conversation behind the one that was given', async () => {
    const given: readonly Message[] = [
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: 'hi' },
    ]
    const model = new ScriptedModel([
      calls('a', 'a'),
      'not yet',
      ScriptedModel.toolCall('final_answer', { n: 1 }),
    ])
    const output = finalAnswer(v.object({ n: v.number() }))
    const events = await collect(new Agent({ model, tools: [a], output }).stream('go', { messages: given }))
    expect(events[0]).toMatchObject({
      type: 'run-start',
      agent: 'agent',
      step: 0,
      resumed: false,
      messages: [{ role: 'user', text: 'go' }],
    })
    // The reminder that the answer must come through the tool is one of them.
    expect(told(events).filter(({ role }) => role === 'user')).toHaveLength(2)
    expect([...given, ...told(events)]).toEqual(resultOf(events).messages)
  })

  it('tell the rest of it when the run is resumed', async () => {
    const tool = new Ran().tool('ask', { needsApproval: true })
    const agent = agentFor([ScriptedModel.toolCall('ask', { n: 1 })], { tools: [tool] })
    const first = await collect(agent.stream('go'))
    const paused = resultOf(first)
    expect(told(first)).toEqual([{ role: 'user', text: 'go' }])
    const [id = ''] = waiting(paused)
    const second = await collect(agentAfter({ tools: [tool] }).resumeStream(stateOf(paused), { [id]: true }))
    expect(second[0]).toMatchObject({ type: 'run-start', runId: paused.runId, resumed: true, messages: [] })
    expect([...told(first), ...told(second)]).toEqual(resultOf(second).messages)
  })

  it('tell what the run has used at the end of each step', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 }
    const events = [{ type: 'finish', reason: 'stop', usage }] as const
    const model = new ScriptedModel([
      { events: [{ type: 'call', name: 'a', input: {} }, ...events] },
      { events },
    ])
    const all = await collect(new Agent({ model, tools: [a] }).stream('go'))
    const used = all.flatMap((event) => (event.type === 'step-end' ? [event.usage.inputTokens] : []))
    expect(used).toEqual([3, 6])
  })

  it('end with the error that the run rejects with', async () => {
    const events: AgentEvent[] = []
    const abort = new AbortController()
    const model = new ScriptedModel([
      () => {
        abort.abort()
        return 'too late'
      },
    ])
    const agent = new Agent({ model, observers: [(event) => events.push(event)] })
    const error: unknown = await agent.run('go', { signal: abort.signal }).catch((caught: unknown) => caught)
    expect(events.at(-1)).toMatchObject({ type: 'failed', error: { name: 'AbortError' } })
    expect(events.at(-1)).toHaveProperty('error', error)
    expect(events.filter(({ type }) => type === 'run-start')).toHaveLength(1)
  })

  it('hold what the model thinks and draws', async () => {
    const file = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    const model = new ScriptedModel([
      {
        events: [
          { type: 'reasoning-delta', text: 'hm' },
          { type: 'reasoning-delta', text: '', providerMetadata: { signature: 's' } },
          { type: 'file', file },
          { type: 'text-delta', text: '' },
          { type: 'text-delta', text: 'Here.' },
          { type: 'finish', reason: 'stop' },
        ],
      },
    ])
    const events = await collect(new Agent({ model }).stream('go'))
    expect(events.slice(2, -2)).toMatchObject([
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'file', file },
      { type: 'text-delta', text: 'Here.' },
    ])
  })
})

describe('observers', () => {
  it('are told of every event of every run, in order and before whoever reads the stream', async () => {
    const lines: string[] = []
    const observers = [1, 2].map((n) => (event: AgentEvent) => lines.push(`${event.type} ${n}`))
    const agent = new Agent({ model: new ScriptedModel(['one', 'two']), observers })
    await agent.run('go')
    const types = ['run-start', 'step-start', 'text-delta', 'step-end', 'done']
    const twice = types.flatMap((type) => [`${type} 1`, `${type} 2`])
    expect(lines).toEqual(twice)
    lines.length = 0
    for await (const event of agent.stream('go')) lines.push(`${event.type} read`)
    expect(lines.filter((line) => !line.endsWith('read'))).toEqual(twice)
    expect(lines.indexOf('done 2')).toBeLessThan(lines.indexOf('done read'))
  })

  it('may throw: it is reported, and the run and the other observers go on', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const other = vi.fn()
      const boom = () => {
        throw new Error('observer broke')
      }
      const agent = new Agent({ model: new ScriptedModel(['fine']), observers: [boom, other] })
      expect((await agent.run('go')).status).toBe('done')
      expect(other).toHaveBeenCalledTimes(5)
      expect(() => vi.runAllTimers()).toThrow('observer broke')
    } finally {
      vi.useRealTimers()
    }
  })

  it('must be functions', () => {
    const make = () => new Agent({ model: new ScriptedModel([]), observers: [{}] as never })
    expect(make).toThrow(ToolRegistrationError)
  })
})
