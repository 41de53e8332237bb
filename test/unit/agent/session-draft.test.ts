import type { Agent, AgentEvent, Message } from 'offstage'
import { AgentSession } from 'offstage'
import { expect, test } from 'vitest'
import { signal } from './run-kit.ts'
import { until } from './session-kit.ts'

const fields = { runId: 'run_1', step: 1, at: 1 }

/** A session whose agent tells these events, and then waits. */
function told(...events: readonly object[]) {
  const end = signal()
  const stream = async function* (): AsyncGenerator<AgentEvent> {
    for (const event of events) yield { ...fields, ...event } as AgentEvent
    await end.reached
  }
  const session = new AgentSession({ agent: { stream } as unknown as Agent })
  void session.send('go')
  return { session, end: end.reach }
}

const call = { id: 'call_1', name: 'look', input: { at: 'it' } }

test('what a model thinks, says and draws stands in its order, and events of an unknown type change nothing', async () => {
  const file = { type: 'image', mediaType: 'image/png', data: 'AA==' }
  const { session } = told(
    { type: 'run-start', agent: 'a', messages: [], resumed: false },
    { type: 'reasoning-delta', text: 'Hm' },
    { type: 'reasoning-delta', text: 'm.' },
    { type: 'of-next-year', text: 'no' },
    { type: 'text-delta', text: 'Here' },
    { type: 'text-delta', text: ':' },
    { type: 'file', file },
  )
  const { messages } = await until(
    session,
    (one) => one.messages[1]?.role === 'assistant' && one.messages[1].parts?.length === 3,
  )
  expect(messages[1]).toEqual({
    role: 'assistant',
    text: 'Here:',
    parts: [{ type: 'reasoning', text: 'Hmm.' }, { type: 'text', text: 'Here:' }, file],
  })
})

test('a call is shown while it is written, with its text, then as it was read, and once', async () => {
  const { session } = told(
    { type: 'text-delta', text: 'Look.' },
    { type: 'call-input-delta', callId: 'call_1', name: 'look', text: '{"at":' },
    { type: 'call-input-delta', callId: 'call_1', name: 'look', text: '"it' },
  )
  const writing = await until(session, ({ activity }) => activity[0]?.inputText === '{"at":"it')
  expect(writing.activity).toEqual([
    { callId: 'call_1', name: 'look', phase: 'writing', inputText: '{"at":"it' },
  ])
  expect(writing.messages[1]).toEqual({
    ...{ role: 'assistant', text: 'Look.' },
    calls: [{ id: 'call_1', name: 'look', input: {} }],
  })
  const read = told(
    { type: 'call-input-delta', callId: 'call_1', name: 'look', text: '{"at":"it"}' },
    { type: 'call', callId: 'call_1', call },
    { type: 'call-started', callId: 'call_1', lane: 'lane 1', input: call.input, at: 7 },
    { type: 'progress', callId: 'call_1', value: 0.5 },
  )
  const running = await until(read.session, ({ activity }) => activity[0]?.progress === 0.5)
  expect(running.activity).toEqual([
    {
      ...{ callId: 'call_1', name: 'look', input: call.input, phase: 'running' },
      ...{ lane: 'lane 1', startedAt: 7, progress: 0.5 },
    },
  ])
  expect(running.messages[1]).toMatchObject({ calls: [call] })
})

test('late news of a call that is over brings it back into nothing', async () => {
  const result = { call, outcome: 'success', response: { text: 'seen', status: 'success' } }
  const { session } = told(
    { type: 'call', callId: 'call_1', call },
    { type: 'result', callId: 'call_1', result },
    { type: 'progress', callId: 'call_1', value: 1 },
    { type: 'text-delta', text: 'Behind the call.' },
  )
  const { activity, messages } = await until(
    session,
    (one) => one.messages[1]?.role === 'assistant' && one.messages[1].text !== '',
  )
  expect(activity).toEqual([])
  expect(messages.slice(1)).toEqual([
    {
      ...{ role: 'assistant', text: 'Behind the call.', calls: [call] },
      parts: [
        { type: 'call', callId: 'call_1' },
        { type: 'text', text: 'Behind the call.' },
      ],
    },
    { role: 'tool', results: [{ callId: 'call_1', name: 'look', text: 'seen', outcome: 'success' }] },
  ])
})

test('a step that has ended is what its agent says of it', async () => {
  const said: Message[] = [{ role: 'assistant', text: 'the whole' }]
  const { session } = told(
    { type: 'text-delta', text: 'the wh' },
    { type: 'step-end', results: [], messages: said, usage: { inputTokens: 0, outputTokens: 0 } },
    { type: 'text-delta', text: 'and more' },
  )
  const { messages } = await until(session, (one) => one.messages.length === 3)
  expect(messages.slice(1)).toEqual([...said, { role: 'assistant', text: 'and more' }])
})

test('an agent that ends without a word leaves the session idle', async () => {
  const { session, end } = told({ type: 'text-delta', text: 'half' })
  await until(session, (one) => one.messages.length === 2)
  end()
  expect(await until(session, ({ status }) => status !== 'running')).toMatchObject({
    status: 'idle',
    activity: [],
  })
})
