import { Agent, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type {
  AssistantMessage,
  AssistantPart,
  FilePart,
  Message,
  UserMessage,
} from '../../src/agent/message.ts'
import type { ModelAdapter, ModelEvent, ModelRequest, Usage } from '../../src/agent/model-adapter.ts'

/** What the provider says to one request. */
export interface ContractTurn {
  readonly reasoning?: string
  readonly text?: string
  /** The input as JSON text. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly input: string }[]
  /** Of an answer with calls `stop` stands for the usual end. @default 'stop' */
  readonly finish?: 'stop' | 'length' | 'content-filter'
  readonly usage?: Usage
  /** With a status it comes instead of an answer, else behind what was said. */
  readonly error?: { readonly status?: number; readonly message: string }
  /** Whether the answer never comes to its end. */
  readonly goesOn?: boolean
}

/** An adapter and the provider behind it, which refuses requests that are not valid. */
export interface AdapterHarness {
  readonly adapter: ModelAdapter
  /** Queues the answer to the next request. */
  answer(turn: ContractTurn): void
  /** The bodies of the requests so far. */
  requests(): readonly string[]
  /** Resolves when the client of a request has closed the connection before its end. */
  left(index: number): Promise<void>
}

/** A harness for one test. */
export type MakeHarness = (capabilities?: readonly string[]) => Promise<AdapterHarness>

const pixel: FilePart = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgoA', name: 'chart.png' }
const weather = tool({
  name: 'get_weather',
  description: 'The weather of a city.',
  inputSchema: v.object({ city: v.string() }),
  parallelSafe: true,
  execute: ({ city }) => `Rain in ${city}.`,
})
const paris = { id: 'call_paris', name: 'get_weather', input: '{"city":"Paris"}' }
const oslo = { id: 'call_oslo', name: 'get_weather', input: '{"city":"Oslo"}' }

/** What every adapter must do, whatever provider it speaks to. */
export function describeModelAdapter(title: string, make: MakeHarness): void {
  const said = async (turn: ContractTurn, request?: Partial<ModelRequest>) => {
    const harness = await make()
    harness.answer(turn)
    return collect(harness.adapter, request)
  }

  describe(`${title} as an adapter`, () => {
    it('gives a text piece by piece, its end and its cost', async () => {
      const events = await said({ text: 'Hello, 世界 🌍!', usage: { inputTokens: 12, outputTokens: 7 } })
      expect(textOf(events, 'text-delta')).toBe('Hello, 世界 🌍!')
      expect(events.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(1)
      expect(events.at(-1)).toEqual({
        ...{ type: 'finish', reason: 'stop', usage: { inputTokens: 12, outputTokens: 7 } },
      })
    })

    it('keeps reasoning apart from the text, in front of it', async () => {
      const events = await said({ reasoning: 'Let me think about it.', text: 'Yes.' })
      expect(textOf(events, 'reasoning-delta')).toBe('Let me think about it.')
      expect(textOf(events, 'text-delta')).toBe('Yes.')
      const types = events.map(({ type }) => type)
      expect(types.lastIndexOf('reasoning-delta')).toBeLessThan(types.indexOf('text-delta'))
    })

    it('gives a call with its name, its id and its whole input', async () => {
      const events = await said({ text: 'I look.', calls: [paris] }, { tools: [weather.definition] })
      expect(callsOf(events)).toEqual([{ id: 'call_paris', name: 'get_weather', input: { city: 'Paris' } }])
      expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
    })

    it('gives calls of one message in their order', async () => {
      const events = await said({ calls: [paris, oslo] }, { tools: [weather.definition] })
      expect(callsOf(events).map(({ input }) => input)).toEqual([{ city: 'Paris' }, { city: 'Oslo' }])
    })

    it('tells the pieces of a call under a key of its own, with its name', async () => {
      const events = await said({ calls: [paris, oslo] }, { tools: [weather.definition] })
      const told = new Map<string, string>()
      for (const event of events) {
        if (event.type !== 'call-input-delta') continue
        expect(event.name).toBe('get_weather')
        told.set(event.key, (told.get(event.key) ?? '') + event.text)
      }
      expect([...told.values()]).toEqual([paris.input, oslo.input])
      expect(events.flatMap((event) => (event.type === 'call' ? [event.key] : []))).toEqual([...told.keys()])
    })

    it.each(['length', 'content-filter'] as const)('says when an answer ended by %s', async (finish) => {
      expect((await said({ text: 'Once upon', finish })).at(-1)).toMatchObject({
        type: 'finish',
        reason: finish,
      })
    })

    it('sends instructions, the conversation and what is offered', async () => {
      const harness = await make()
      harness.answer({ text: 'Yes.' })
      await collect(harness.adapter, {
        instructions: 'Be brief.',
        messages: [user('first'), { role: 'assistant', text: 'second' }, user('third')],
        tools: [weather.definition],
      })
      const [body = ''] = harness.requests()
      const places = ['Be brief.', 'first', 'second', 'third'].map((text) => body.indexOf(text))
      expect(places).not.toContain(-1)
      expect(places.toSorted((a, b) => a - b)).toEqual(places)
      expect(body).toContain('The weather of a city.')
    })

    it('answers a call and goes on', async () => {
      const harness = await make()
      harness.answer({ text: 'I look.', calls: [paris, oslo] })
      harness.answer({ text: 'Rain in both.' })
      const result = await new Agent({ model: harness.adapter, tools: [weather] }).run('Paris and Oslo?')
      expect(result.finalOutput).toBe('Rain in both.')
      const [, second = ''] = harness.requests()
      expect(second.indexOf('Rain in Paris.')).toBeGreaterThan(second.indexOf('I look.'))
      expect(second.indexOf('Rain in Oslo.')).toBeGreaterThan(second.indexOf('Rain in Paris.'))
    })

    it('sends the image that a person gives', async () => {
      const harness = await make(['images'])
      harness.answer({ text: 'A chart.' })
      await collect(harness.adapter, { messages: [{ ...user('What is this?'), parts: [pixel] }] })
      expect(harness.requests()[0]).toContain(pixel.data)
    })

    it('shows the image of a tool to a model that takes images', async () => {
      const harness = await make(['images'])
      harness.answer({ text: 'A chart.' })
      await collect(harness.adapter, { messages: afterImage, tools: [weather.definition] })
      expect(harness.requests()[0]).toContain(pixel.data)
    })

    it('names the image of a tool to a model that takes none', async () => {
      const harness = await make([])
      harness.answer({ text: 'A chart.' })
      await collect(harness.adapter, { messages: afterImage, tools: [weather.definition] })
      const [body] = harness.requests()
      expect(body).toContain('[image: chart.png, image/png, 9 B]')
      expect(body).not.toContain(pixel.data)
    })

    it('says what the provider answered instead, and throws no such thing away', async () => {
      const failing = said({ error: { status: 400, message: 'The context is full.' } })
      await expect(failing).rejects.toMatchObject({
        ...{ name: 'ModelError', status: 400, message: expect.stringContaining('The context is full.') },
      })
    })

    it('throws the error that comes in the middle of an answer, behind what was said', async () => {
      const harness = await make()
      harness.answer({ text: 'Once upon', error: { message: 'The GPU is gone.' } })
      const events: ModelEvent[] = []
      const reading = collect(harness.adapter, {}, events)
      await expect(reading).rejects.toThrow('The GPU is gone.')
      expect(textOf(events, 'text-delta')).toBe('Once upon')
      expect(events.map(({ type }) => type)).not.toContain('finish')
    })

    it('asks nobody when it is aborted before', async () => {
      const harness = await make()
      await expect(collect(harness.adapter, { signal: AbortSignal.abort() })).rejects.toThrow()
      expect(harness.requests()).toEqual([])
    })

    it('ends at once, and lets go of the connection, when it is aborted', async () => {
      const harness = await make()
      harness.answer({ text: 'Once upon a time there was', goesOn: true })
      const controller = new AbortController()
      const reading = (async () => {
        for await (const event of harness.adapter.stream(requestOf({ signal: controller.signal }))) {
          if (event.type === 'text-delta') controller.abort(new Error('enough'))
        }
      })()
      await expect(reading).rejects.toThrow()
      await harness.left(0)
    })

    it('lets go of the connection when nobody reads on', async () => {
      const harness = await make()
      harness.answer({ text: 'Once upon a time there was', goesOn: true })
      for await (const _event of harness.adapter.stream(requestOf())) break
      await harness.left(0)
    })

    it('D16 sends the same after its messages were stored as JSON', async () => {
      const harness = await make()
      harness.answer({ reasoning: 'Hm, "Paris"?\n', text: 'I look.', calls: [paris] })
      harness.answer({ text: 'Rain.' })
      harness.answer({ text: 'Rain.' })
      const tools = [weather.definition]
      const events = await collect(harness.adapter, { messages: [user('Paris?')], tools })
      const messages = [user('Paris?'), ...exchange(events, 'Rain in Paris.')]
      await collect(harness.adapter, { messages, tools })
      await collect(harness.adapter, { messages: JSON.parse(JSON.stringify(messages)) as Message[], tools })
      const [, now, later] = harness.requests()
      expect(later).toBe(now)
    })

    it('D01 a conversation goes on after a call was cancelled', async () => {
      const harness = await make()
      harness.answer({ calls: [paris, { id: 'call_slow', name: 'slow', input: '{}' }] })
      harness.answer({ text: 'As you wish.' })
      const controller = new AbortController()
      const slow = tool({
        ...{ name: 'slow', description: 'Is slow.' },
        execute: (_input, { signal }) => {
          setTimeout(() => controller.abort())
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(signal.reason)),
          )
        },
      })
      const agent = new Agent({ model: harness.adapter, tools: [weather, slow] })
      const aborted = await agent.run('Go.', { signal: controller.signal }).catch((error: unknown) => error)
      expect(aborted).toMatchObject({ name: 'AbortError' })
      const { messages } = (aborted as { result: { messages: readonly Message[] } }).result
      expect((await agent.run('Go on.', { messages })).finalOutput).toBe('As you wish.')
      expect(harness.requests()).toHaveLength(2)
    })

    it('C15 does not run the calls of an answer that was cut', async () => {
      const harness = await make()
      harness.answer({ calls: [paris, { ...oslo, input: '{"city":"Os' }], finish: 'length' })
      harness.answer({ text: 'Again, shorter.' })
      const result = await new Agent({ model: harness.adapter, tools: [weather] }).run('Both?')
      expect(result.finalOutput).toBe('Again, shorter.')
      expect(result.steps[0]?.results.map(({ outcome }) => outcome)).not.toContain('success')
      expect(result.steps[0]?.results).toHaveLength(2)
    })
  })
}

/** A request with what a test does not care about. */
export function requestOf(request: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [user('Hi.')], tools: [], signal: new AbortController().signal, ...request }
}

/** All events of an answer; those before an error are in `events`. */
export async function collect(
  adapter: ModelAdapter,
  request: Partial<ModelRequest> = {},
  events: ModelEvent[] = [],
): Promise<ModelEvent[]> {
  for await (const event of adapter.stream(requestOf(request))) events.push(event)
  return events
}

/** The text in all deltas of a type. */
export function textOf(events: readonly ModelEvent[], type: 'text-delta' | 'reasoning-delta'): string {
  return events.flatMap((event) => (event.type === type ? [event.text] : [])).join('')
}

/** The calls, with their input as an object. */
export function callsOf(events: readonly ModelEvent[]): { id?: string; name: string; input: unknown }[] {
  return events.flatMap((event) => {
    if (event.type !== 'call') return []
    const { id, name, input } = event
    return [
      {
        ...(id === undefined ? {} : { id }),
        name,
        input: typeof input === 'string' ? JSON.parse(input) : input,
      },
    ]
  })
}

/** What an agent keeps of an answer with calls, and what it answers to each of them. */
export function exchange(events: readonly ModelEvent[], result: string): readonly Message[] {
  const calls: NonNullable<AssistantMessage['calls']>[number][] = []
  const parts: AssistantPart[] = []
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') addText(parts, event)
    else if (event.type === 'file') parts.push(event.file)
    else if (event.type === 'call') {
      const id = `library_${calls.length}`
      const [{ input } = { input: {} }] = callsOf([event])
      const providerId = event.id === undefined ? {} : { providerId: event.id }
      calls.push({ id, name: event.name, input: input as Record<string, never>, ...providerId })
      parts.push({ type: 'call', callId: id, ...metadataOf(event) })
    }
  }
  const text = textOf(events, 'text-delta')
  const results = calls.map(({ id, name }) => ({
    ...{ callId: id, name, text: result, outcome: 'success' as const },
  }))
  return [
    { role: 'assistant', text, calls, parts },
    { role: 'tool', results },
  ]
}

type TextEvent = Extract<ModelEvent, { type: 'text-delta' | 'reasoning-delta' }>

function addText(parts: AssistantPart[], event: TextEvent): void {
  const type = event.type === 'text-delta' ? 'text' : 'reasoning'
  const last = parts.at(-1)
  const isMore = last?.type === type
  if (isMore) parts.pop()
  parts.push({
    ...(isMore ? last : {}),
    type,
    text: (isMore ? last.text : '') + event.text,
    ...metadataOf(event),
  })
}

function metadataOf({ providerMetadata }: Pick<TextEvent, 'providerMetadata'>) {
  return providerMetadata === undefined ? {} : { providerMetadata }
}

function user(text: string): UserMessage {
  return { role: 'user', text }
}

const afterImage: readonly Message[] = [
  user('Draw it.'),
  { role: 'assistant', text: '', calls: [{ id: 'a', name: 'get_weather', input: { city: 'Paris' } }] },
  {
    role: 'tool',
    results: [{ callId: 'a', name: 'get_weather', text: 'Drawn.', outcome: 'success', parts: [pixel] }],
  },
]
