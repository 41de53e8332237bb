import { createOpenAI } from '@ai-sdk/openai'
import { Agent, type Message } from 'offstage'
import { type AnyLanguageModel, fromLanguageModel, type LanguageModelOptions } from 'offstage/models'
import { describe, expect, it } from 'vitest'
import type { FilePart } from '../../../src/agent/message.ts'
import type { ModelEvent, ModelRequest } from '../../../src/agent/model-adapter.ts'
import { chatCompletion, openChatCompletions } from '../../support/provider-servers/chat-completions.ts'
import { failure } from '../../support/provider-servers/provider-server.ts'

type Part = { readonly type: string; readonly [member: string]: unknown }
type Call = { readonly prompt: readonly Part[]; readonly [member: string]: unknown }

/** A model that streams these parts, and the calls that it got. */
function speaking(parts: readonly Part[], given: Partial<AnyLanguageModel> = {}) {
  const calls: Call[] = []
  const model: AnyLanguageModel = {
    ...{ specificationVersion: 'v4', provider: 'some.chat', modelId: 'one', supportedUrls: {} },
    doStream: async (call) => {
      calls.push(call as unknown as Call)
      return { stream: streamOf(parts) }
    },
    ...given,
  }
  return { model, calls }
}

function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

async function read(
  model: AnyLanguageModel,
  request: Partial<ModelRequest> = {},
  options?: LanguageModelOptions,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  const { signal } = new AbortController()
  const whole = { messages: [{ role: 'user' as const, text: 'Hi' }], tools: [], signal, ...request }
  for await (const event of fromLanguageModel(model, options).stream(whole)) events.push(event)
  return events
}

const finish: Part = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} }

describe('the parts of a stream', () => {
  it('of kinds that are not known, and of what the provider runs itself, make no event', async () => {
    const run = { toolCallId: 's1', toolName: 'web_search', providerExecuted: true }
    const { model } = speaking([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r1' },
      { type: 'ping' },
      { type: 'raw', rawValue: {} },
      { type: 'tool-input-start', id: 's1', toolName: 'web_search', providerExecuted: true },
      { type: 'tool-input-delta', id: 's1', delta: '{}' },
      { type: 'tool-input-end', id: 's1' },
      { type: 'tool-call', ...run, input: '{}' },
      { type: 'tool-result', ...run, result: {} },
      { type: 'source', sourceType: 'url', id: '1', url: 'https://example.com' },
      { type: 'custom', kind: 'some.thing' },
      { type: 'of-the-future', id: 'x', delta: 'x' },
      { type: 'text-delta', id: '0', delta: 'Hi' },
      finish,
    ])
    expect(await read(model)).toEqual([
      { type: 'text-delta', text: 'Hi', part: '1' },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('tell metadata when they start, go on and end, with no text when there is none', async () => {
    const { model } = speaking([
      { type: 'reasoning-start', id: 'r', providerMetadata: { p: { at: 'start' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { p: { at: 'end' } } },
      { type: 'text-start', id: 'r' },
      { type: 'text-delta', id: 'r', delta: '' },
      { type: 'text-delta', id: 'r', delta: 'Hi', providerMetadata: { p: { at: 'text' } } },
      { type: 'text-end', id: 'r' },
      finish,
    ])
    expect(await read(model)).toEqual([
      { type: 'reasoning-delta', text: '', part: '1', providerMetadata: { p: { at: 'start' } } },
      { type: 'reasoning-delta', text: 'Hm', part: '1' },
      { type: 'reasoning-delta', text: '', part: '1', providerMetadata: { p: { at: 'end' } } },
      { type: 'text-delta', text: 'Hi', part: '2', providerMetadata: { p: { at: 'text' } } },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('with an id that comes again are pieces and calls of their own', async () => {
    const call = [
      { type: 'tool-input-start', id: 'c', toolName: 'f' },
      { type: 'tool-input-delta', id: 'c', delta: '{}' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{}', providerMetadata: { p: {} } },
    ]
    const text = [
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'a' },
    ]
    const { model } = speaking([...text, ...text, ...call, ...call, finish])
    const called = { type: 'call', id: 'c', name: 'f', input: '{}', providerMetadata: { p: {} } }
    expect((await read(model)).slice(0, -1)).toEqual([
      { type: 'text-delta', text: 'a', part: '1' },
      { type: 'text-delta', text: 'a', part: '2' },
      { type: 'call-input-delta', key: '3', name: 'f', text: '{}' },
      { ...called, key: '3' },
      { type: 'call-input-delta', key: '4', name: 'f', text: '{}' },
      { ...called, key: '4' },
    ])
  })

  it.each([
    ['anthropic.messages', 'claude', true],
    ['openai.responses', 'gpt', true],
    ['google.generative-ai', 'gemini', true],
    ['gateway', 'anthropic/claude', true],
    ['openai.chat', 'gpt', undefined],
    ['local.chat', 'anthropic-like', undefined],
  ])(
    'close a call only where the provider does, not its package: %s %s',
    async (provider, modelId, closed) => {
      const { model } = speaking(
        [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: '{}' }, finish],
        {
          ...{ provider, modelId },
        },
      )
      expect((await read(model))[0]).toEqual({
        ...{ type: 'call', id: 'c', name: 'f', input: '{}' },
        ...(closed && { closed }),
      })
    },
  )

  it.each([
    ['v4', { type: 'data', data: 'AAEC' }, 'AAEC'],
    ['v4', { type: 'data', data: new Uint8Array([0, 1, 2]) }, 'AAEC'],
    ['v4', { type: 'url', url: new URL('https://example.com/a.png') }, 'https://example.com/a.png'],
    ['v3', 'AAEC', 'AAEC'],
    ['v3', new Uint8Array([0, 1, 2]), 'AAEC'],
  ] as const)('tell a file that a model of %s made', async (specificationVersion, told, data) => {
    const part = { type: 'file', mediaType: 'image/png', data: told, providerMetadata: { p: { s: 'S' } } }
    const { model } = speaking([part, finish], { specificationVersion })
    expect((await read(model))[0]).toEqual({
      ...{
        type: 'file',
        file: { type: 'image', mediaType: 'image/png', data, providerMetadata: { p: { s: 'S' } } },
      },
    })
  })

  it.each([
    [{ unified: 'stop', raw: 'end_turn' }, 'stop'],
    [{ unified: 'tool-calls', raw: undefined }, 'tool-calls'],
    [{ unified: 'length', raw: 'max_tokens' }, 'length'],
    [{ unified: 'interrupted', raw: undefined }, 'length'],
    [{ unified: 'content-filter', raw: 'safety' }, 'content-filter'],
    [{ unified: 'other', raw: 'x' }, 'other'],
    [{ unified: 'of-the-future', raw: 'x' }, 'other'],
  ])('end with %j as %s', async (finishReason, reason) => {
    const usage = { inputTokens: { total: 3 }, outputTokens: { total: undefined } }
    const { model } = speaking([{ type: 'finish', finishReason, usage }])
    expect(await read(model)).toEqual([
      { type: 'finish', reason, usage: { inputTokens: 3, outputTokens: 0 } },
    ])
  })

  it('that stop without an end are cut off', async () => {
    const { model } = speaking([{ type: 'text-delta', id: '0', delta: 'Hi' }])
    expect((await read(model)).at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it.each([
    ['an error', new TypeError('it broke'), 'it broke'],
    ['a text', 'it broke', 'it broke'],
    ['an object', { type: 'server_error', message: 'it broke' }, 'it broke'],
    ['anything', { code: 7 }, '{"code":7}'],
  ])('throw what they tell as %s', async (_what, error, message) => {
    const { model } = speaking([{ type: 'error', error }, finish])
    await expect(read(model)).rejects.toThrow(message)
  })

  it('throw when a model says no more than that it failed', async () => {
    const { model } = speaking([
      { ...finish, finishReason: { unified: 'error', raw: 'MALFORMED_FUNCTION_CALL' } },
    ])
    await expect(read(model)).rejects.toThrow('The model stopped with an error: MALFORMED_FUNCTION_CALL.')
  })
})

describe('a stream that is not read to its end', () => {
  function endless() {
    let cancelled = false
    const stream = new ReadableStream<Part>({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Hi' }),
      cancel: () => {
        cancelled = true
      },
    })
    const { model } = speaking([], { doStream: async () => ({ stream }) })
    return { model, isCancelled: () => cancelled }
  }

  it('is cancelled when its reader leaves', async () => {
    const { model, isCancelled } = endless()
    const { signal } = new AbortController()
    for await (const _event of fromLanguageModel(model).stream({ messages: [], tools: [], signal })) break
    expect(isCancelled()).toBe(true)
  })

  it('is cancelled when the signal aborts, also if the model does not look at it', async () => {
    const { model, isCancelled } = endless()
    const controller = new AbortController()
    const { signal } = controller
    const events = fromLanguageModel(model)
      .stream({ messages: [], tools: [], signal })
      [Symbol.asyncIterator]()
    await events.next()
    const next = events.next()
    controller.abort(new Error('enough'))
    await expect(next).rejects.toThrow('enough')
    expect(isCancelled()).toBe(true)
  })
})

describe('what a model is called with', () => {
  it('is the settings that were given, the tools and the signal', async () => {
    const { model, calls } = speaking([finish])
    const { signal } = new AbortController()
    const definition = { name: 'f', description: 'F.', inputSchema: { type: 'object', properties: {} } }
    const tools = [definition as unknown as ModelRequest['tools'][number]]
    const providerOptions = { some: { key: 'value' } }
    await read(
      model,
      { signal, tools },
      { settings: { temperature: 0, maxOutputTokens: 9, providerOptions } },
    )
    expect(calls).toEqual([
      {
        ...{ temperature: 0, maxOutputTokens: 9, providerOptions, abortSignal: signal },
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        ...{ tools: [{ type: 'function', ...definition }], toolChoice: { type: 'auto' } },
      },
    ])
  })

  it('has errors marked, names that providers take, and the metadata of a call with its result', async () => {
    const { model, calls } = speaking([finish])
    const providerMetadata = { p: { caller: 'x' } }
    const messages: Message[] = [
      {
        ...{ role: 'assistant', text: '' },
        calls: [{ id: 'a', name: 'made up!', input: {} }],
        parts: [{ type: 'call', callId: 'a', providerMetadata }],
      },
      { role: 'tool', results: [{ callId: 'a', name: 'made up!', text: 'No.', outcome: 'unknown' }] },
    ]
    await read(model, { messages })
    const call = { toolCallId: 'a', toolName: 'made_up_', providerOptions: providerMetadata }
    expect(calls[0]?.prompt).toEqual([
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      {
        role: 'tool',
        content: [{ type: 'tool-result', ...call, output: { type: 'error-text', value: 'No.' } }],
      },
    ])
  })

  it('leaves out messages of a model that said nothing, and joins those of a person', async () => {
    const { model, calls } = speaking([finish])
    await read(model, {
      messages: [
        { role: 'user', text: 'a' },
        { role: 'assistant', text: '' },
        { role: 'user', text: 'b' },
      ],
    })
    const content = ['a', 'b'].map((text) => ({ type: 'text', text }))
    expect(calls[0]?.prompt).toEqual([{ role: 'user', content }])
  })
})

describe('files', () => {
  const image: FilePart = { type: 'image', mediaType: 'image/png', data: 'AAEC', name: 'a.png' }
  const linked: FilePart = { type: 'image', mediaType: 'image/png', data: 'https://example.com/a.png' }
  const inlined: FilePart = { ...image, data: 'data:image/png;base64,AAEC' }
  const line = { type: 'text', text: '[image: a.png, image/png, 3 B]' }

  async function partsFor(
    parts: readonly FilePart[],
    given: Partial<AnyLanguageModel>,
    capabilities?: string[],
  ) {
    const { model, calls } = speaking([finish], given)
    await read(model, { messages: [{ role: 'user', text: '', parts }] }, capabilities && { capabilities })
    return calls[0]?.prompt[0]?.content
  }

  it('of a person are sent as either version has them', async () => {
    const file = { type: 'file', mediaType: 'image/png' }
    expect(await partsFor([image, inlined, linked], { specificationVersion: 'v4' })).toEqual([
      { ...file, filename: 'a.png', data: { type: 'data', data: 'AAEC' } },
      { ...file, filename: 'a.png', data: { type: 'data', data: 'AAEC' } },
      { ...file, data: { type: 'url', url: new URL('https://example.com/a.png') } },
    ])
    expect(await partsFor([image, linked], { specificationVersion: 'v3' })).toEqual([
      { ...file, filename: 'a.png', data: 'AAEC' },
      { ...file, data: new URL('https://example.com/a.png') },
    ])
  })

  it.each([
    ['that nothing is known of', {}, true],
    ['that match', { 'image/*': [/^https:/] }, true],
    ['of another type', { 'application/pdf': [/^http:/] }, true],
    ['that do not match', { 'image/*': [/^gs:/] }, false],
    ['that match nothing for any type', { '*': [/youtube/] }, false],
  ])('at addresses %s', async (_what, supportedUrls, isSent) => {
    const content = await partsFor([linked], { supportedUrls: Promise.resolve(supportedUrls) })
    expect(content).toMatchObject([isSent ? { type: 'file' } : { type: 'text', text: '[image: image/png]' }])
  })

  it('are a line for a model that takes none', async () => {
    expect(await partsFor([image], {}, ['files'])).toEqual([line])
    expect(await partsFor([image], {}, ['images'])).toMatchObject([{ type: 'file' }])
  })

  async function resultOf(
    provider: string,
    version: 'v3' | 'v4',
    parts: readonly FilePart[],
    capabilities?: string[],
  ) {
    const { model, calls } = speaking([finish], { provider, specificationVersion: version })
    const messages: Message[] = [
      { role: 'assistant', text: '', calls: [{ id: 'a', name: 'f', input: {} }] },
      { role: 'tool', results: [{ callId: 'a', name: 'f', text: 'Drawn.', outcome: 'success', parts }] },
    ]
    await read(model, { messages }, capabilities && { capabilities })
    return calls[0]?.prompt.slice(1)
  }

  it.each(['anthropic.messages', 'openai.responses', 'google.generative-ai', 'amazon-bedrock'])(
    'of a result go with it to %s',
    async (provider) => {
      const file = {
        type: 'file',
        mediaType: 'image/png',
        filename: 'a.png',
        data: { type: 'data', data: 'AAEC' },
      }
      const value = [{ type: 'text', text: 'Drawn.' }, file]
      expect(await resultOf(provider, 'v4', [image])).toMatchObject([
        { role: 'tool', content: [{ output: { type: 'content', value } }] },
      ])
    },
  )

  it('of a result have kinds of their own in version 3', async () => {
    expect(await resultOf('anthropic.messages', 'v3', [image, linked])).toMatchObject([
      {
        content: [
          {
            output: {
              value: [
                { type: 'text', text: 'Drawn.' },
                { type: 'image-data', data: 'AAEC', mediaType: 'image/png' },
                { type: 'image-url', url: 'https://example.com/a.png' },
              ],
            },
          },
        ],
      },
    ])
  })

  it('of a result are a line where results are text, and follow if the model is known to take them', async () => {
    const output = { type: 'text', value: `Drawn.\n${line.text}` }
    expect(await resultOf('openai.chat', 'v4', [image])).toMatchObject([{ content: [{ output }] }])
    expect(await resultOf('openai.chat', 'v4', [image], ['images'])).toMatchObject([
      { content: [{ output }] },
      { role: 'user', content: [line, { type: 'file' }] },
    ])
  })

  it('that one model made are a line for another', async () => {
    const { model, calls } = speaking([finish], { provider: 'mistral.chat' })
    const messages: Message[] = [
      { role: 'assistant', text: 'Here.', parts: [{ type: 'text', text: 'Here.' }, image] },
    ]
    await read(model, { messages })
    expect(calls[0]?.prompt[0]?.content).toEqual([{ type: 'text', text: 'Here.' }, line])
  })
})

describe('a request that fails', () => {
  const busy = (headers = {}) =>
    failure(429, { error: { message: 'Slow down.', type: 'rate_limit' } }, headers)

  it('is made again after the wait that the provider asks for', async () => {
    const { url, requests } = await openChatCompletions([
      busy({ 'retry-after-ms': '20' }),
      chatCompletion({ text: 'Done.' }),
    ])
    const model = fromLanguageModel(createOpenAI({ apiKey: 'key', baseURL: url }).chat('gpt-4o'))
    expect((await new Agent({ model }).run('Hi.')).finalOutput).toBe('Done.')
    expect(requests).toHaveLength(2)
  })

  it('ends the run with what is known of it, the error of the package behind', async () => {
    const { url } = await openChatCompletions([busy({ 'retry-after': '7' })])
    const model = createOpenAI({ apiKey: 'key', baseURL: url }).chat('gpt-4o')
    const failed = new Agent({ model: fromLanguageModel(model, { maxRetries: 0 }) }).run('Hi.')
    await expect(failed).rejects.toMatchObject({
      name: 'RunError',
      message: 'Step 1 failed: Slow down.',
      cause: {
        ...{ name: 'ModelError', status: 429, retryAfterMs: 7000, retryable: true },
        url: `${url}/chat/completions`,
        cause: { name: 'AI_APICallError', statusCode: 429 },
      },
    })
  })

  it('is not made again when it would fail again', async () => {
    const { url, requests } = await openChatCompletions([
      failure(401, { error: { message: 'No such key.' } }),
    ])
    const model = fromLanguageModel(createOpenAI({ apiKey: 'key', baseURL: url }).chat('gpt-4o'))
    await expect(new Agent({ model }).run('Hi.')).rejects.toMatchObject({ cause: { status: 401 } })
    expect(requests).toHaveLength(1)
  })
})

describe('what is not such a model', () => {
  it.each([
    [undefined, 'undefined'],
    ['openai/gpt-5', 'string'],
    [{ ...speaking([]).model, specificationVersion: 'v2' }, 'v2'],
  ])('is refused: %o', (model, version) => {
    expect(() => fromLanguageModel(model as AnyLanguageModel)).toThrow(
      `expected a model of a package for AI SDK 6 or 7 (specificationVersion v3 or v4), got ${version}.`,
    )
  })

  it('is refused with options that cannot be', () => {
    const { model } = speaking([])
    const wrong = { maxRetry: 0 } as LanguageModelOptions
    expect(() => fromLanguageModel(model, wrong)).toThrow('there is no option "maxRetry"')
    expect(() => fromLanguageModel(model, { maxRetries: -1 })).toThrow('maxRetries is -1')
  })
})
