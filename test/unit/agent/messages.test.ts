import {
  Agent,
  type AgentEvent,
  type AssistantPart,
  type Message,
  type ModelEvent,
  type RunError,
  type Tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import { describe, expect, it } from 'vitest'
import { simple } from '../execution/step-kit.ts'
import { collect, expectValidHistory, play } from './agent-kit.ts'
import {
  agentAfter,
  agentFor,
  dieAt,
  leftOver,
  overJson,
  Ran,
  signal,
  stateOf,
  WatchedStore,
  waiting,
} from './run-kit.ts'

const f = simple('f', () => 'of f', { effect: 'none' }) as unknown as Tool
const g = simple('g', () => 'of g', { effect: 'none' }) as unknown as Tool

const says = (...events: readonly ModelEvent[]) => ({ events })
const text = (words: string, more: object = {}): ModelEvent => ({ type: 'text-delta', text: words, ...more })
const thinks = (words: string, more: object = {}): ModelEvent => ({
  type: 'reasoning-delta',
  text: words,
  ...more,
})
const asks = (name: string, more: object = {}): ModelEvent => ({ type: 'call', name, input: {}, ...more })
const finish: ModelEvent = { type: 'finish', reason: 'tool-calls' }

/** The message that a model is sent back of what it said in its first turn. */
async function sentBack(...events: readonly ModelEvent[]) {
  const { model, result } = await play([says(...events), 'done'], { tools: [f, g] })
  expectValidHistory(result.messages)
  const message = model.requests[1]?.messages[1]
  if (message?.role !== 'assistant') throw new Error('The second request holds no message of the model.')
  return message
}

/** The parts, with the names of the calls in place of their ids. */
function named({ parts = [], calls = [] }: Extract<Message, { role: 'assistant' }>): readonly object[] {
  return parts.map((part) => {
    if (part.type !== 'call') return part
    const { callId, ...rest } = part
    return { ...rest, call: calls.find(({ id }) => id === callId)?.name }
  })
}

describe('what a model says', () => {
  it('D06 goes back with its opaque values at their places', async () => {
    const providerMetadata = { google: { thoughtSignature: 'AAA' } }
    const message = await sentBack(asks('f', { providerMetadata }), finish)
    expect(named(message)).toEqual([{ type: 'call', call: 'f', providerMetadata }])
    expect(message.calls?.[0]).not.toHaveProperty('providerMetadata')
  })

  it('D08 goes back in the same order, nothing merged and nothing moved', async () => {
    const signed = { google: { thoughtSignature: 'S1' } }
    const message = await sentBack(
      thinks('Well'),
      thinks(', then.', { providerMetadata: signed }),
      asks('f'),
      asks('g'),
      finish,
    )
    expect(named(message)).toEqual([
      { type: 'reasoning', text: 'Well, then.', providerMetadata: signed },
      { type: 'call', call: 'f' },
      { type: 'call', call: 'g' },
    ])
  })

  it('D10 keeps a reasoning item without words before its call', async () => {
    const providerMetadata = { openai: { itemId: 'rs_1' } }
    const message = await sentBack(
      thinks('', { providerMetadata }),
      asks('f', { id: 'c1', providerMetadata: { openai: { itemId: 'fc_1' } } }),
      finish,
    )
    expect(named(message)).toEqual([
      { type: 'reasoning', text: '', providerMetadata },
      { type: 'call', call: 'f', providerMetadata: { openai: { itemId: 'fc_1' } } },
    ])
    expect(message.calls).toMatchObject([{ providerId: 'c1' }])
  })

  it('holds pieces of their own by the provider’s name, files and reasoning without metadata', async () => {
    const file = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const
    const message = await sentBack(
      text('a', { part: '1' }),
      text('b', { part: '1' }),
      text('c', { part: '2' }),
      thinks('hm'),
      { type: 'file', file },
      text('d', { part: '2' }),
      asks('f'),
      finish,
    )
    expect(named(message)).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'text', text: 'c' },
      { type: 'reasoning', text: 'hm' },
      file,
      { type: 'text', text: 'd' },
      { type: 'call', call: 'f' },
    ])
    expect(message.text).toBe('abcd')
  })

  it('has no parts when it is text followed by calls, and has them when text comes behind a call', async () => {
    const plain = await sentBack(text('Let me '), text('see.'), asks('f'), asks('g'), finish)
    expect(Object.keys(plain)).toEqual(['role', 'text', 'calls'])
    const behind = await sentBack(text('One. '), asks('f'), text('Two.'), finish)
    expect(named(behind).map((part) => Object.values(part)[1])).toEqual(['One. ', 'f', 'Two.'])
  })

  it('places a call where it was begun, and calls that are written side by side in that order', async () => {
    const part = (key: string, name: string, words: string): ModelEvent => ({
      type: 'call-input-delta',
      key,
      name,
      text: words,
    })
    const message = await sentBack(
      part('1', 'f', '{'),
      part('2', 'g', '{'),
      text('and so on'),
      part('1', 'f', '}'),
      asks('g', { key: '2' }),
      asks('f', { key: '1' }),
      finish,
    )
    expect(named(message)).toEqual([
      { type: 'call', call: 'f' },
      { type: 'call', call: 'g' },
      { type: 'text', text: 'and so on' },
    ])
    expect(message.calls?.map(({ name }) => name)).toEqual(['f', 'g'])
  })

  it('makes two calls of a key that its provider uses again', async () => {
    const message = await sentBack(asks('f', { key: 'k' }), asks('f', { key: 'k' }), finish)
    expect(new Set(message.calls?.map(({ id }) => id)).size).toBe(2)
  })

  it('loses the calls of its last turn, and their places with them', async () => {
    const turn = says(thinks('hm'), text('No more.'), asks('f', { key: '1' }), finish)
    const { result, model } = await play(
      [asks('f') as never, turn].map((one) => one),
      {
        tools: [f],
        limits: { maxSteps: 1 },
      },
    )
    expect(result.messages.at(-1)).toEqual({
      role: 'assistant',
      text: 'No more.',
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'No more.' },
      ],
    })
    expect(model.requests[1]).toMatchObject({ tools: [], closedTools: [{ name: 'f' }] })
    expect(model.requests[0]).not.toHaveProperty('closedTools')
  })
})

describe('a call that is written piece by piece', () => {
  const pieces = says(
    { type: 'call-input-delta', key: '0', name: 'f', text: '{' },
    { type: 'call-input-delta', key: '0', name: 'f', text: '}' },
    asks('f', { key: '0', input: '{}' }),
    finish,
  )

  it('has one id from its first piece to its result', async () => {
    const model = new ScriptedModel([pieces, 'done'])
    const events = await collect(new Agent({ model, tools: [f] }).stream('go'))
    const about = events.flatMap((event) => ('callId' in event ? [event] : []))
    expect(about.map(({ type }) => type)).toEqual([
      'call-input-delta',
      'call-input-delta',
      'call',
      'call-started',
      'result',
    ])
    expect(new Set(about.map(({ callId }) => callId)).size).toBe(1)
    expect(about[0]).toMatchObject({ name: 'f', text: '{' })
    const done = events.at(-1) as Extract<AgentEvent, { type: 'done' }>
    expect(done.result.messages[1]).toMatchObject({ calls: [{ id: about[0]?.callId }] })
  })
})

describe('a message that breaks off', () => {
  const half = [
    thinks('hm', { providerMetadata: { signature: 's' } }),
    text('Let me ', { providerMetadata: { itemId: 'm1' } }),
    text('look'),
    asks('f', { key: '1' }),
    { type: 'call-input-delta', key: '2', name: 'g', text: '{"path":"a' } as const,
  ]

  it.each(['abort', 'failure'])(
    'C15 by %s leaves its text and no calls, and can be continued',
    async (how) => {
      const abort = new AbortController()
      async function* broken(): AsyncGenerator<ModelEvent> {
        yield* half
        if (how === 'failure') throw new Error('connection lost')
        abort.abort()
        await new Promise(() => {})
      }
      const model = new ScriptedModel([{ events: broken() }])
      const failed: unknown = await new Agent({ model, tools: [f, g] })
        .run('go', { signal: abort.signal })
        .catch((error: unknown) => error)
      expect(failed).toMatchObject({ name: how === 'abort' ? 'AbortError' : 'RunError' })
      const { messages, finalOutput } = (failed as RunError).result
      expect(messages.slice(1)).toEqual([{ role: 'assistant', text: 'Let me look' }])
      expect(finalOutput).toBe('Let me look')
      const more = await play(['fine'], { tools: [f] }, { messages })
      expect(more.model.requests[0]?.messages).toHaveLength(3)
    },
  )

  it('C15 by length runs no call of it, and each has a result', async () => {
    const turn = says(asks('f'), asks('g', { input: '{"path":"a' }), { type: 'finish', reason: 'length' })
    const { result } = await play([turn, 'done'], { tools: [f, g] })
    expect(result.steps[0]?.results.map(({ outcome }) => outcome)).toEqual(['cut-off', 'cut-off'])
    expectValidHistory(result.messages)
  })

  it('leaves nothing when it had said nothing', async () => {
    const model: Pick<ScriptedModel, 'name' | 'stream'> = {
      name: 'broken',
      // biome-ignore lint/correctness/useYield: it fails before it says anything.
      async *stream() {
        throw new Error('no')
      },
    }
    const failed: unknown = await new Agent({ model }).run('go').catch((error: unknown) => error)
    expect((failed as RunError).result.messages).toEqual([{ role: 'user', text: 'go' }])
  })
})

describe('what a provider wants back', () => {
  const providerMetadata = { google: { thoughtSignature: 'A', nested: [1, { b: null }] } }
  const unknown = { type: 'hologram', data: [1], providerMetadata } as unknown as AssistantPart
  const turn = says(
    thinks('hm', { providerMetadata }),
    { type: 'file', file: unknown as never },
    asks('ask', { input: { n: 1 }, providerMetadata }),
    asks('free', { input: { n: 2 } }),
    finish,
  )
  const partsOf = (messages: readonly Message[] = []) => {
    const said = messages.find((message) => message.role === 'assistant')
    return said === undefined ? [] : named(said)
  }
  const parts = [
    { type: 'reasoning', text: 'hm', providerMetadata },
    unknown,
    { type: 'call', call: 'ask', providerMetadata },
    { type: 'call', call: 'free' },
  ]
  const tools = () => {
    const ran = new Ran()
    return [ran.tool('ask', { needsApproval: true }), ran.tool('free', { parallelSafe: true })]
  }

  it('D16 is the same after a pause, JSON and a resume', async () => {
    const paused = await agentFor(turn, { tools: tools() }).run('go')
    expect(partsOf(paused.messages)).toEqual(parts)
    const [id = ''] = waiting(paused)
    const result = await agentAfter({ tools: tools() }).resume(stateOf(paused), { [id]: true })
    expect(partsOf(result.messages)).toEqual(parts)
    expectValidHistory(result.messages)
  })

  it('D16 is the same in a run whose page died', async () => {
    const { reached, reach } = signal()
    const execute = () => {
      reach()
      return new Promise<string>(() => {})
    }
    const stuck = new Ran().tool('ask', { execute })
    const left = await dieAt(
      (store) => agentFor(turn, { tools: [stuck, ...tools().slice(1)], store }),
      reached,
    )
    const agent = agentAfter({ tools: tools(), store: left })
    const { state } = await leftOver(agent)
    const result = await agent.resume(state)
    expect(partsOf(result.messages)).toEqual(parts)
  })

  it('D16 is the same in a conversation that was stored, with all that the library does not know', async () => {
    const messages: readonly Message[] = overJson([
      { role: 'user', text: 'go', extra: 1 },
      {
        role: 'assistant',
        text: '',
        calls: [{ id: '1', name: 'f', input: {}, extra: 2 }],
        parts: [unknown, { type: 'call', callId: '1', providerMetadata, extra: 3 }],
        extra: 4,
      },
      {
        role: 'tool',
        results: [{ callId: '1', name: 'f', text: 'ok', outcome: 'success', extra: 5 }],
        extra: 6,
      },
    ] as unknown as Message[])
    const { model, result } = await play(['fine'], { tools: [f] }, { messages })
    expect(model.requests[0]?.messages.slice(0, 3)).toEqual(messages)
    expect(result.messages.slice(0, 3)).toEqual(messages)
  })

  it('reads a state of version 1', async () => {
    const ran = new Ran()
    const tool = ran.tool('a', { needsApproval: true })
    const paused = await agentFor([ScriptedModel.toolCall('a', { n: 1 })], { tools: [tool] }).run('go')
    const [id = ''] = waiting(paused)
    const state = { ...stateOf(paused), version: 1 as const }
    const result = await agentAfter({ tools: [tool] }).resume(state, { [id]: true })
    expect(result.status).toBe('done')
    expect(ran.log).toEqual(['a 1'])
  })

  it('F13 survives a batch that is answered one by one, each time in another runner', async () => {
    const ran = new Ran()
    const all = [
      ran.tool('a', { needsApproval: true }),
      ran.tool('b', { needsApproval: true }),
      ran.tool('c', { parallelSafe: true }),
    ]
    const gated = says(
      thinks('hm', { providerMetadata }),
      ...['a', 'b', 'c'].map((name, index) => asks(name, { input: { n: index }, providerMetadata })),
      finish,
    )
    const first = await agentFor(gated, { tools: all }).run('go')
    const [a = '', b = ''] = waiting(first)
    const second = await agentAfter({ tools: all }).resume(stateOf(first), { [a]: true })
    expect(waiting(second)).toEqual([b])
    const third = await agentAfter({ tools: all }).resume(stateOf(second), { [b]: true })
    expect(third.messages[2]).toMatchObject({
      results: [{ name: 'a', outcome: 'success' }, { name: 'b', outcome: 'success' }, { name: 'c' }],
    })
    expect(named(third.messages[1] as never)).toEqual([
      { type: 'reasoning', text: 'hm', providerMetadata },
      ...['a', 'b', 'c'].map((call) => ({ type: 'call', call, providerMetadata })),
    ])
    expect(ran.log.toSorted()).toEqual(['a 0', 'b 1', 'c 2'])
  })
})

describe('what a tool gives back', () => {
  it.each([
    [0, '0'],
    [false, 'false'],
    ['', ''],
    [[], '[]'],
    ['true', 'true'],
  ])('S23 keeps its meaning in the conversation: %j', async (value, words) => {
    const gives = simple('gives', () => value) as unknown as Tool
    const { result } = await play([[{ name: 'gives', input: {} }], 'done'], { tools: [gives] })
    expect(result.messages[2]).toMatchObject({ results: [{ text: words, outcome: 'success' }] })
  })
})

describe('what a user says', () => {
  it('may come with images, which reach the model', async () => {
    const parts = [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] as const
    const model = new ScriptedModel(['A cat.'])
    await new Agent({ model }).run({ text: 'What is this?', parts })
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', text: 'What is this?', parts }])
  })
})

describe('the store of a run', () => {
  it('D16 holds the parts of a paused message', async () => {
    const store = new WatchedStore()
    const tool = new Ran().tool('ask', { needsApproval: true })
    const turn = says(thinks('hm'), asks('ask', { input: { n: 1 } }), finish)
    await agentFor(turn, { tools: [tool], store }).run('go')
    expect(store.saves.at(-1)?.state).toMatchObject({
      version: 2,
      open: { parts: [{ text: 'hm' }, { type: 'call' }] },
    })
  })
})
