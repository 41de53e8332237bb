import fc from 'fast-check'
import { openAICompatible } from 'offstage/models'
import { describe, expect, it } from 'vitest'
import type { ModelEvent } from '../../../src/agent/model-adapter.ts'
import { callsOf, collect, exchange, textOf } from '../../support/model-adapter-contract.ts'
import { completion, delta, events, ModelServer, type Reply } from '../../support/model-server.ts'
import { serverAnswers } from '../../support/model-server-answers.ts'

async function answered(reply: Reply): Promise<ModelEvent[]> {
  const server = await ModelServer.start()
  server.reply(reply)
  return collect(openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 }))
}

/** The events of a body that comes in these pieces. */
function fromPieces(pieces: readonly Uint8Array<ArrayBuffer>[]): Promise<ModelEvent[]> {
  const body = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
  const model = openAICompatible({
    ...{ baseURL: 'http://model.test/v1', model: 'm' },
    fetch: async () => new Response(body()),
  })
  return collect(model)
}

/** Neighbours of one piece joined: how a text is cut into deltas is not told. */
function joined(events: readonly ModelEvent[]): ModelEvent[] {
  const all: ModelEvent[] = []
  for (const event of events) {
    const last = all.at(-1)
    const isMore = last !== undefined && 'text' in last && 'text' in event && last.type === event.type
    if (isMore) all.pop()
    all.push(isMore ? { ...event, text: last.text + event.text } : event)
  }
  return all
}

describe.each(serverAnswers)('an answer of $server', ({ text, reasoning, field, id }) => {
  it('is read whole', async () => {
    const events = await answered({ pieces: [text] })
    expect(textOf(events, 'reasoning-delta')).toBe(reasoning)
    expect(textOf(events, 'text-delta')).toBe('I look.')
    expect(callsOf(events)).toEqual([{ id, name: 'get_weather', input: { city: 'Paris' } }])
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool-calls' })
  })

  it('is the same however its bytes are cut', async () => {
    const bytes = new TextEncoder().encode(text.replaceAll('Paris', 'Pàris 🌧'))
    const uncut = joined(await fromPieces([bytes]))
    expect(callsOf(uncut)).toMatchObject([{ input: { city: 'Pàris 🌧' } }])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
        const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
        const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end))
        expect(joined(await fromPieces(pieces))).toEqual(uncut)
      }),
    )
  })

  it('is the same when each byte comes alone', async () => {
    const bytes = new TextEncoder().encode(text)
    const pieces = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1))
    expect(joined(await fromPieces(pieces))).toEqual(joined(await fromPieces([bytes])))
  })

  it('goes back with its reasoning in the field that it came in', async () => {
    const server = await ModelServer.start()
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
    server.reply({ pieces: [text] }, completion([delta({ content: 'Rain.' })]))
    const messages = exchange(await collect(model), 'Rain in Paris.')
    await collect(model, { messages: [{ role: 'user', text: 'Hi.' }, ...messages] })
    const [, message] = server.requests[1]?.body.messages ?? []
    const thought = field === undefined ? {} : { [field]: reasoning }
    expect(message).toEqual({
      ...{ role: 'assistant', content: 'I look.', ...thought },
      tool_calls: [
        { id, type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
      ],
    })
  })
})

describe('a stream', () => {
  const said = 'data: {"choices":[{"delta":{"content":"Hi"}}]}'
  const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}'

  it.each([
    ['without a space behind data:', `${said}\n\n${end}\n\n`.replaceAll('data: ', 'data:')],
    ['with CRLF', `${said}\r\n\r\n${end}\r\n\r\n`],
    ['with CR alone', `${said}\r\r${end}\r\r`],
    ['with comments, ids and names', `: hello\n\nid: 1\nevent: message\n${said}\n\n: bye\n${end}\n\n`],
    ['with a byte order mark', `\ufeff${said}\n\n${end}\n\n`],
    ['with empty lines and empty data in front', `\n\ndata:\n\n${said}\n\n${end}\n\n`],
    ['without an empty line at its end', `${said}\n\n${end}`],
    [
      'with something behind its end marker',
      `${said}\n\n${end}\n\ndata: [DONE]\n\ndata: nonsense\n\ndata: {}\n\n`,
    ],
    [
      'with an empty finish reason on the way',
      `${said.replace('}}]', '},"finish_reason":""}]')}\n\n${end}\n\n`,
    ],
  ])('%s is read', async (_how, text) => {
    const events = await answered({ pieces: [text] })
    expect(events).toEqual([
      { type: 'text-delta', text: 'Hi' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('is over with its end marker, though the connection stays open', async () => {
    const pieces = events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]')
    expect((await answered({ pieces, end: 'wait' })).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it.each([
    ['tool_calls', 'tool-calls'],
    ['function_call', 'tool-calls'],
    ['length', 'length'],
    ['content_filter', 'content-filter'],
    ['model_length', 'other'],
  ])('that ends by %s says so', async (finish, reason) => {
    expect((await answered(completion([delta({ content: 'Hi' })], finish))).at(-1)).toMatchObject({ reason })
  })

  it('may hold a refusal, images, and parts instead of text', async () => {
    const events = await answered(
      completion([
        // https://docs.mistral.ai/capabilities/reasoning/
        delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }] }),
        delta({ content: [{ type: 'text', text: 'See: ' }] }),
        // https://openrouter.ai/docs/guides/overview/multimodal/image-generation
        delta({ images: [{ type: 'image_url', image_url: { url: 'data:image/webp;base64,UklG' } }] }),
        delta({ images: [{ type: 'image_url', image_url: { url: 'https://model.test/cat.png' } }] }),
        delta({ refusal: 'I must not.' }),
      ]),
    )
    expect(events.slice(0, -1)).toEqual([
      { type: 'reasoning-delta', text: 'Hm.' },
      { type: 'text-delta', text: 'See: ' },
      { type: 'file', file: { type: 'image', mediaType: 'image/webp', data: 'UklG' } },
      { type: 'file', file: { type: 'image', mediaType: 'image/png', data: 'https://model.test/cat.png' } },
      { type: 'text-delta', text: 'I must not.' },
    ])
  })

  it('of a thinking model that thought nothing keeps the empty field for its calls', async () => {
    // https://api-docs.deepseek.com/guides/thinking_mode
    const call = { index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }
    const all = [delta({ content: null, reasoning_content: '' }), delta({ tool_calls: [call] })]
    const messages = exchange(await answered(completion(all)), 'done')
    const server = await ModelServer.start()
    server.reply(completion([]))
    await collect(openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 }), { messages })
    expect(server.requests[0]?.body.messages[0]).toMatchObject({ content: null, reasoning_content: '' })
  })
})

describe('an answer in one piece', () => {
  it.each(['application/json', 'text/event-stream'])('of the type %s is read', async (type) => {
    // https://lmstudio.ai/docs/developer/openai-compat/tools
    const text = JSON.stringify(
      {
        ...{ id: 'chatcmpl-gb1t1uqzefudice8ntxd9i', object: 'chat.completion', created: 1, model: 'm' },
        choices: [
          {
            ...{ index: 0, logprobs: null, finish_reason: 'tool_calls' },
            message: {
              ...{ role: 'assistant', content: 'I look.', reasoning_content: 'Hm.' },
              tool_calls: ['Paris', 'Oslo'].map((city) => ({
                ...{ id: '', type: 'function' },
                function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
              })),
            },
          },
        ],
        usage: { prompt_tokens: 263, completion_tokens: 34, total_tokens: 297 },
      },
      null,
      2,
    )
    const events = await answered({
      headers: { 'content-type': type },
      pieces: [text.slice(0, 99), text.slice(99)],
    })
    expect(textOf(events, 'reasoning-delta')).toBe('Hm.')
    expect(textOf(events, 'text-delta')).toBe('I look.')
    expect(callsOf(events).map(({ input }) => input)).toEqual([{ city: 'Paris' }, { city: 'Oslo' }])
    expect(events.at(-1)).toEqual({
      ...{ type: 'finish', reason: 'tool-calls', usage: { inputTokens: 263, outputTokens: 34 } },
    })
  })
})
