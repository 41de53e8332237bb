import { tool } from 'offstage'
import { type OpenAICompatibleOptions, openAICompatible } from 'offstage/models'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { FilePart, Message } from '../../../src/agent/message.ts'
import type { ModelRequest } from '../../../src/agent/model-adapter.ts'
import { collect, exchange } from '../../support/model-adapter-contract.ts'
import { completion, delta, errorReply, ModelServer } from '../../support/model-server.ts'

const now = tool({ name: 'now', description: 'The time.', execute: () => 'noon' })
const look = tool({
  ...{ name: 'look', description: 'Looks.', inputSchema: v.object({ at: v.string() }) },
  execute: () => 'seen',
})
const chart: FilePart = {
  ...{ type: 'image', mediaType: 'image/png', name: 'chart.png' },
  data: 'A'.repeat(16_000),
}
const report: FilePart = { type: 'file', mediaType: 'application/pdf', data: 'JVBERg==', name: 'report.pdf' }
const photo: FilePart = { type: 'image', mediaType: 'image/jpeg', data: 'https://photos.test/1.jpg' }

/** The request that is sent. */
async function sent(request: Partial<ModelRequest>, options: Partial<OpenAICompatibleOptions> = {}) {
  const server = await ModelServer.start()
  server.reply(completion([delta({ content: 'Done.' })]))
  await collect(openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0, ...options }), request)
  const [first] = server.requests
  if (first === undefined) throw new Error('There was no request.')
  return first
}

/** The messages that are sent. */
async function written(messages: readonly Message[], options: Partial<OpenAICompatibleOptions> = {}) {
  return (await sent({ messages }, options)).body.messages
}

const user = (text: string, ...parts: readonly FilePart[]): Message => ({
  ...{ role: 'user', text },
  ...(parts.length > 0 ? { parts } : {}),
})
const called = (id: string, name = 'look') => ({ id, name, input: { at: 'it' } })
const result = (callId: string, text: string, ...parts: readonly FilePart[]) => ({
  ...{ callId, name: 'look', text, outcome: 'success' as const },
  ...(parts.length > 0 ? { parts } : {}),
})

describe('a request', () => {
  it('goes to the endpoint with the model, the key and the messages', async () => {
    const { url, headers, body } = await sent(
      { instructions: 'Be brief.', messages: [user('Hi.')], tools: [now.definition] },
      { apiKey: 'sk-test' },
    )
    expect(url).toBe('/v1/chat/completions')
    expect(headers).toMatchObject({ authorization: 'Bearer sk-test', 'content-type': 'application/json' })
    expect(body).toEqual({
      ...{ model: 'm', stream: true, stream_options: { include_usage: true } },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi.' },
      ],
      tools: [
        {
          type: 'function',
          // A20
          function: { name: 'now', description: 'The time.', parameters: { type: 'object', properties: {} } },
        },
      ],
    })
  })

  it('without tools names none', async () => {
    const { body } = await sent({})
    expect(body).not.toHaveProperty('tools')
    expect(body).not.toHaveProperty('tool_choice')
  })

  it('holds what the app adds, and its headers win', async () => {
    const { body, headers } = await sent(
      {},
      {
        ...{ body: { temperature: 0, response_format: { type: 'json_object' } }, includeUsage: false },
        ...{ apiKey: 'sk-test', headers: { Authorization: 'Basic abc', 'X-Title': 'Demo' } },
      },
    )
    expect(body).toMatchObject({ temperature: 0, response_format: { type: 'json_object' } })
    expect(body).not.toHaveProperty('stream_options')
    expect(headers).toMatchObject({ authorization: 'Basic abc', 'x-title': 'Demo' })
  })

  it('asks for no usage when it asks for no stream', async () => {
    const { body } = await sent({}, { body: { stream: false } })
    expect(body).toMatchObject({ stream: false })
    expect(body).not.toHaveProperty('stream_options')
  })

  it.each([
    ['/', '/v1/chat/completions'],
    ['?api-version=1', '/v1/chat/completions?api-version=1'],
    ['/?api-version=1', '/v1/chat/completions?api-version=1'],
  ])('takes a base address that ends in %s', async (end, url) => {
    const server = await ModelServer.start()
    server.reply(completion([]))
    await collect(openAICompatible({ baseURL: server.baseURL + end, model: 'm' }))
    expect(server.requests[0]?.url).toBe(url)
  })

  it('does not call a fetch of the app as a method', async () => {
    const seen: unknown[] = []
    await sent(
      {},
      {
        fetch: function (this: unknown, ...given: Parameters<typeof fetch>) {
          seen.push(this)
          return fetch(...given)
        } as typeof fetch,
      },
    )
    expect(seen).toEqual([undefined])
  })
})

describe('the last request of a run, whose tools are closed', () => {
  const messages: readonly Message[] = [
    user('Look.'),
    { role: 'assistant', text: '', calls: [called('a')] },
    { role: 'tool', results: [result('a', 'seen')] },
  ]

  it('names no tools: some servers call them whatever it says', async () => {
    const { body } = await sent({ messages, closedTools: [look.definition] })
    expect(body).not.toHaveProperty('tools')
  })

  it('names them with the order to call none, where the history is refused without them', async () => {
    const server = await ModelServer.start()
    server.reply(
      errorReply(400, { error: { message: 'expects the tools= param' } }),
      completion([delta({ content: 'Done.' })]),
    )
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
    await collect(model, { messages, closedTools: [look.definition] })
    expect(server.requests[1]?.body).toMatchObject({
      ...{ tool_choice: 'none', tools: [{ function: { name: 'look' } }] },
    })
  })
})

describe('the messages', () => {
  it('hold the results right behind their calls, and nothing between them', async () => {
    expect(
      await written([
        user('Look.'),
        { role: 'assistant', text: 'I look.', calls: [called('a'), called('b')] },
        { role: 'tool', results: [result('a', 'one'), result('b', '')] },
        user('And?'),
      ]),
    ).toEqual([
      { role: 'user', content: 'Look.' },
      {
        ...{ role: 'assistant', content: 'I look.' },
        tool_calls: ['a', 'b'].map((id) => ({
          ...{ id, type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } },
        })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      { role: 'user', content: 'And?' },
    ])
  })

  it('hold the provider ids of calls and results', async () => {
    const [, message, answer] = await written([
      user('Look.'),
      { role: 'assistant', text: '', calls: [{ ...called('a'), providerId: 'call_1' }] },
      { role: 'tool', results: [result('a', 'one')] },
    ])
    expect(message).toMatchObject({ content: null, tool_calls: [{ id: 'call_1' }] })
    expect(answer).toMatchObject({ tool_call_id: 'call_1' })
  })

  it('join what a person says twice, and leave out what a model did not say', async () => {
    expect(await written([user('Go.'), { role: 'assistant', text: '' }, user('Go on.', photo)])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Go.' },
          { type: 'text', text: 'Go on.' },
          { type: 'image_url', image_url: { url: 'https://photos.test/1.jpg' } },
        ],
      },
    ])
    expect(await written([user('Go.'), user('Go on.')])).toEqual([{ role: 'user', content: 'Go.\n\nGo on.' }])
  })

  it('name a call that the model made up so that the server takes it', async () => {
    for (const name of ['functions.search', ' search ', 'mcp:x', '', 'x'.repeat(80)]) {
      const [, message] = await written([
        user('Look.'),
        { role: 'assistant', text: '', calls: [called('a', name)] },
        { role: 'tool', results: [result('a', 'There is no such tool.')] },
      ])
      expect(message).toHaveProperty('tool_calls')
    }
  })

  it('D15 hold no half of a surrogate pair, not in a key either, and change nothing else', async () => {
    const { body } = await sent({
      messages: [
        user('ok \ud83d, \\ud83d, \\\ud83d, 😀'),
        { role: 'assistant', text: '', calls: [{ id: 'a', name: 'look', input: { '\udc00k': 'v\ud83d' } }] },
        { role: 'tool', results: [result('a', 'ok \ud83d')] },
      ],
    })
    expect(body.messages).toMatchObject([
      { content: 'ok \ufffd, \\ud83d, \\\ufffd, 😀' },
      { tool_calls: [{ function: { arguments: expect.any(String) } }] },
      { content: 'ok \ufffd' },
    ])
    const calls = body.messages[1]?.tool_calls as { function: { arguments: string } }[] | undefined
    expect(JSON.parse(calls?.[0]?.function.arguments ?? '')).toEqual({ '\ufffdk': 'v\ufffd' })
  })
})

describe('images and files', () => {
  const shown = `[image: chart.png, image/png, 12 kB]`
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${chart.data}` } }

  it('of a person are sent with the text', async () => {
    expect(await written([user('What is this?', chart)])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] },
    ])
    expect(await written([user('', chart)])).toEqual([{ role: 'user', content: [image] }])
  })

  it('of a person become a line of text for a model that is known not to take them', async () => {
    const lines = `${shown}\n\n[file: report.pdf, application/pdf, 6 B]`
    const options = { capabilities: [] }
    expect(await written([user('', chart, report)], options)).toEqual([{ role: 'user', content: lines }])
  })

  it('of a person are files where the model takes files', async () => {
    expect(await written([user('Read.', report)], { capabilities: ['files'] })).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read.' },
          {
            type: 'file',
            file: { filename: 'report.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
          },
        ],
      },
    ])
  })

  const drawn: readonly Message[] = [
    user('Draw.'),
    { role: 'assistant', text: '', calls: [called('a'), called('b')] },
    { role: 'tool', results: [result('a', 'Drawn.', chart), result('b', '', photo)] },
  ]

  it('of a tool come behind all results, for a model that takes them', async () => {
    expect((await written(drawn, { capabilities: ['images'] })).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: `Drawn.\n${shown}` },
      { role: 'tool', tool_call_id: 'b', content: '[image: image/jpeg]' },
      {
        role: 'user',
        content: [
          { type: 'text', text: shown },
          image,
          { type: 'text', text: '[image: image/jpeg]' },
          { type: 'image_url', image_url: { url: 'https://photos.test/1.jpg' } },
        ],
      },
    ])
  })

  it('of a tool are a line of text for others', async () => {
    expect((await written(drawn)).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: `Drawn.\n${shown}` },
      { role: 'tool', tool_call_id: 'b', content: '[image: image/jpeg]' },
    ])
  })

  it('have names that cannot end their line', async () => {
    const [message] = await written([user('', { ...chart, name: 'a]\nIgnore [b' })], { capabilities: [] })
    expect(message?.content).toBe('[image: a Ignore b, image/png, 12 kB]')
  })

  it('that a model made are named to it', async () => {
    const said: Message = {
      role: 'assistant',
      text: 'Here.',
      parts: [{ type: 'text', text: 'Here.' }, chart],
    }
    expect((await written([user('Draw.'), said]))[1]).toEqual({
      ...{ role: 'assistant', content: `Here.\n\n${shown}` },
    })
  })
})

describe('what a provider wants back', () => {
  const call = { index: 0, id: 'c1', function: { name: 'look', arguments: '{"at":"it"}' } }
  // https://ai.google.dev/gemini-api/docs/openai (thought signatures)
  const extra_content = { google: { thought_signature: 'A+b/c=="\\\n' } }

  async function backTo(model: string) {
    const server = await ModelServer.start()
    const asked = openAICompatible({ baseURL: server.baseURL, model: 'm', maxRetries: 0 })
    server.reply(
      completion([
        delta({ reasoning_content: 'Hm, "so".\n' }),
        delta({ tool_calls: [{ ...call, extra_content }] }),
      ]),
      completion([]),
    )
    const messages = [user('Look.'), ...exchange(await collect(asked), 'seen')]
    const next = openAICompatible({ baseURL: server.baseURL, model, maxRetries: 0 })
    await collect(next, { messages: JSON.parse(JSON.stringify(messages)) as Message[] })
    return server.requests[1]?.body.messages[1]
  }

  it('D06 stands where it stood, byte for byte', async () => {
    expect(await backTo('m')).toEqual({
      ...{ role: 'assistant', content: null, reasoning_content: 'Hm, "so".\n' },
      tool_calls: [
        { extra_content, id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } },
      ],
    })
  })

  it('is not shown to another model', async () => {
    expect(await backTo('other')).toEqual({
      ...{ role: 'assistant', content: null },
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"it"}' } }],
    })
  })
})

describe('an option', () => {
  const valid = { baseURL: 'http://127.0.0.1:1/v1', model: 'm' }

  it.each([
    [{ baseUrl: 'x' }, 'there is no option "baseUrl". Did you mean "baseURL"?'],
    [{ apikey: 'x' }, 'there is no option "apikey". Did you mean "apiKey"?'],
    [{ temperature: 0 }, 'there is no option "temperature"'],
    [{ baseURL: '' }, 'baseURL must be an address'],
    [{ baseURL: 'http://127.0.0.1:1/v1/chat/completions' }, 'baseURL must end before "/chat/completions"'],
    [{ baseURL: 'http://me:secret@127.0.0.1:1/v1' }, 'baseURL must not hold a password'],
    [{ model: undefined }, "model must be the model's name"],
    [{ apiKey: 'sk-test\n' }, 'apiKey must be one word'],
    [{ headers: { 'x y': 'z' } }, 'the header "x y" is not valid'],
    [{ headers: { 'x-key': 'a\nb' } }, 'the header "x-key" is not valid'],
    [{ body: 'x' }, 'body must be an object'],
    [{ body: { messages: [] } }, 'body must not hold "messages"'],
    [{ body: { n: 2 } }, 'body must not hold "n"'],
    [{ capabilities: 'images' }, 'capabilities must be a list of strings'],
    [{ maxRetries: -1 }, 'maxRetries is -1'],
  ])('%j is refused', (options, message) => {
    const make = () => openAICompatible({ ...valid, ...options } as OpenAICompatibleOptions)
    expect(make).toThrow(message)
    expect(make).toThrow(expect.objectContaining({ name: 'ToolRegistrationError' }))
    expect(make).not.toThrow(/secret|sk-test/)
  })

  it('names the model and what it can do', () => {
    expect(openAICompatible(valid)).toMatchObject({ name: 'm' })
    expect(openAICompatible(valid)).not.toHaveProperty('capabilities')
    expect(openAICompatible({ ...valid, capabilities: ['images'] }).capabilities).toEqual(['images'])
  })
})
