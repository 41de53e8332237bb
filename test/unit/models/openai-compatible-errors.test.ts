import { type OpenAICompatibleOptions, openAICompatible } from 'offstage/models'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ModelEvent } from '../../../src/agent/model-adapter.ts'
import { collect } from '../../support/model-adapter-contract.ts'
import { completion, delta, errorReply, events, ModelServer, type Reply } from '../../support/model-server.ts'

const key = 'sk-very-secret-1234'

/** The error that an answer ends with, and what came before it. */
async function failed(reply: Reply, options: Partial<OpenAICompatibleOptions> = {}) {
  const server = await ModelServer.start()
  server.reply(reply)
  const before: ModelEvent[] = []
  const model = openAICompatible({
    ...{ baseURL: server.baseURL, model: 'qwen3', apiKey: key, maxRetries: 0 },
    ...options,
  })
  const error = await collect(model, {}, before).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { error: error as Error & Record<string, unknown>, before, server }
}

describe('an answer with an error status', () => {
  it.each([
    ['OpenAI', { error: { message: 'You sent too much.', type: 'invalid_request_error' } }],
    ['Ollama', { error: 'You sent too much.' }],
    ['vLLM', { object: 'error', message: 'You sent too much.', code: 400 }],
    ['FastAPI', { detail: 'You sent too much.' }],
    ['plain text', 'You sent too much.'],
  ])('says what %s said', async (_server, body) => {
    const { error, server } = await failed(errorReply(400, body))
    expect(error.message).toBe(`${server.baseURL}/chat/completions answered 400: You sent too much.`)
    expect(error).toMatchObject({
      ...{ name: 'ModelError', status: 400, retryable: false, url: `${server.baseURL}/chat/completions` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  })

  it.each([
    [401, 'Check apiKey.'],
    [404, 'Check baseURL, which often ends in /v1, and that the server has "qwen3".'],
    [429, 'Wait, or check the limits of the account.'],
  ])('%i says what to do', async (status, hint) => {
    expect((await failed(errorReply(status, { error: { message: 'no' } }))).error.message).toMatch(
      new RegExp(`answered ${status}: no\\. ${hint}$`),
    )
  })

  it('may have no body', async () => {
    expect((await failed({ status: 403 })).error.message).toMatch(/answered 403\. Check apiKey\.$/)
  })

  it('shows no key, whoever repeats it', async () => {
    const token = 'tok-9876543210'
    const { error } = await failed(
      errorReply(401, { error: { message: `Wrong key ${key} and ${token} ${key}` }, key }),
      {
        headers: { 'x-auth': `Bearer ${token}` },
        fetch: (url, init) => fetch(`${url}?key=${key}`, init),
      },
    )
    const shown = [
      error.message,
      error.stack,
      JSON.stringify(error),
      String(error.body),
      String(error.url),
    ].join()
    expect(shown).not.toContain(key)
    expect(shown).not.toContain(token)
    expect(error.message).toContain('Wrong key *** and ***')
  })

  it('shows no query', async () => {
    const server = await ModelServer.start()
    server.reply(errorReply(500, 'no'))
    const model = openAICompatible({ baseURL: `${server.baseURL}?key=${key}`, model: 'm', maxRetries: 0 })
    const error = (await collect(model).catch((thrown: unknown) => thrown)) as Error & { url: string }
    expect(server.requests[0]?.url).toContain(key)
    expect(error.message + error.url).not.toContain(key)
  })

  it('keeps so much of a long body that it can be read', async () => {
    const { error } = await failed(errorReply(400, 'x'.repeat(100_000)))
    expect(error.message.length).toBeLessThan(700)
    expect(error.body).toHaveLength(4_000)
  })
})

describe('an error inside the stream', () => {
  const said = events(delta({ content: 'Once' }))

  it.each([
    ['as a chunk', 'data: {"error":{"message":"The GPU is gone.","code":503}}\n\n'],
    [
      'with choices',
      'data: {"error":{"message":"The GPU is gone.","code":503},"choices":[{"delta":{}}]}\n\n',
    ],
    ['as a text', 'data: {"error":"The GPU is gone."}\n\n'],
    ['without a wrapper', 'data: {"object":"error","message":"The GPU is gone.","code":503}\n\n'],
    ['as an event of its own', 'event: error\ndata: {"error":{"message":"The GPU is gone."}}\n\n'],
    ['as an event of plain text', 'event: error\ndata: The GPU is gone.\n\n'],
    // https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md (older releases)
    ['in a field of its own', 'error: {"code":503,"message":"The GPU is gone."}\n\n'],
  ])('%s is thrown behind what was said', async (_how, text) => {
    const { error, before } = await failed({ pieces: [...said, text, ...events('[DONE]')] })
    expect(error.message).toBe('The model server broke off: The GPU is gone.')
    expect(error.name).toBe('ModelError')
    expect(before).toEqual([{ type: 'text-delta', text: 'Once' }])
  })

  it('may be nothing but a finish reason', async () => {
    expect((await failed(completion([delta({ content: 'Once' })], 'error'))).error.message).toMatch(/gave up/)
  })

  it('is one when something comes that is no JSON', async () => {
    const { error } = await failed({ pieces: [...said, 'data: {"choi\n\n', ...said] })
    expect(error).toMatchObject({
      message: 'The model server sent something that is no JSON.',
      body: '{"choi',
    })
  })

  it('shows no key', async () => {
    const { error } = await failed({ pieces: [`data: {"error":{"message":"bad ${key}"}}\n\n`] })
    expect(error.message + error.body).not.toContain(key)
  })

  it('is one when the connection breaks', async () => {
    const { error, before } = await failed({ pieces: said, end: 'break' })
    expect(error).toMatchObject({ name: 'ModelError', retryable: true, cause: expect.any(TypeError) })
    expect(error.message).toMatch(/^The answer of http.* broke off: /)
    expect(before).toEqual([{ type: 'text-delta', text: 'Once' }])
  })

  it.each([
    ['a page', '<!doctype html><title>My app</title>'],
    ['another JSON', '{"detail":"Not here."}'],
    ['nothing', ''],
  ])('is one when the answer is %s', async (_what, text) => {
    const { error } = await failed({ headers: { 'content-type': 'text/html' }, pieces: text ? [text] : [] })
    expect(error.message).toMatch(/answered something that is no chat completion\. Check baseURL/)
  })
})

describe('a server that is not there', () => {
  afterEach(() => vi.unstubAllGlobals())

  const ask = () => collect(openAICompatible({ baseURL: 'http://127.0.0.1:1/v1', model: 'm', maxRetries: 0 }))

  it('is named, with what to check', async () => {
    await expect(ask()).rejects.toMatchObject({
      ...{ name: 'ModelError', retryable: true, cause: expect.any(TypeError) },
      message: expect.stringMatching(
        /^No answer from http:\/\/127\.0\.0\.1:1\/v1\/chat\/completions: .*\. Check that the server runs at this address\.$/,
      ),
    })
  })

  it('in a page may be one that does not allow it', async () => {
    vi.stubGlobal('document', {})
    await expect(ask()).rejects.toThrow(/\(CORS\): Ollama needs OLLAMA_ORIGINS, LM Studio "Enable CORS"\.$/)
  })
})

describe('a request that failed for now', () => {
  afterEach(() => vi.useRealTimers())

  /** How often a model was asked, and how long was waited, when it is first answered so. No network: it has timers. */
  async function asked(replies: readonly (() => Response)[], options: Partial<OpenAICompatibleOptions> = {}) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    let times = 0
    const scripted = async () => {
      times += 1
      return (replies[times - 1] ?? hi)()
    }
    const started = Date.now()
    const model = openAICompatible({
      ...{ baseURL: 'http://model.test/v1', model: 'm', fetch: scripted },
      ...options,
    })
    const reading = collect(model).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return { result: await reading, waitedMs: Date.now() - started, times }
  }

  const hi = () => new Response(events(delta({ content: 'Hi' }), delta({}, 'stop'), '[DONE]').join(''))
  const busy =
    (status: number, headers = {}) =>
    () =>
      Response.json({ error: 'busy' }, { status, headers })
  /** A body that breaks off behind these events. */
  const breaking =
    (...said: readonly string[]) =>
    () => {
      const pieces = said.map((text) => new TextEncoder().encode(text))
      return new Response(
        new ReadableStream({
          pull(stream) {
            const piece = pieces.shift()
            if (piece === undefined) stream.error(new TypeError('terminated'))
            else stream.enqueue(piece)
          },
        }),
      )
    }
  const unreachable = () => {
    throw new TypeError('fetch failed')
  }

  it.each([408, 409, 429, 500, 502, 503, 529])('with %i is made again', async (status) => {
    const { result, times, waitedMs } = await asked([busy(status), busy(status)])
    expect(result).toMatchObject([{ text: 'Hi' }, { reason: 'stop' }])
    expect(times).toBe(3)
    expect(waitedMs).toBeGreaterThanOrEqual(1_125)
    expect(waitedMs).toBeLessThanOrEqual(1_500)
  })

  it.each([400, 401, 404, 422])('with %i is not', async (status) => {
    const { result, times } = await asked([busy(status)])
    expect(result).toMatchObject({ name: 'ModelError', status })
    expect(times).toBe(1)
  })

  it('is given up after two more tries, or as many as the app says', async () => {
    const replies = Array.from({ length: 5 }, () => busy(503))
    expect(await asked(replies)).toMatchObject({ result: { status: 503 }, times: 3 })
    expect(await asked(replies, { maxRetries: 0 })).toMatchObject({ result: { status: 503 }, times: 1 })
  })

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after-ms': '1234', 'retry-after': '7' }, 1_234],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '60' }, 60_000],
  ])('waits as long as %j says', async (headers, ms) => {
    const { result, waitedMs } = await asked([busy(429, headers)])
    expect(result).toMatchObject([{ text: 'Hi' }, { reason: 'stop' }])
    expect(waitedMs).toBe(ms)
  })

  it('waits until the date that the server names', async () => {
    const { waitedMs } = await asked([
      busy(503, { 'retry-after': new Date(Date.now() + 30_000).toUTCString() }),
    ])
    expect(waitedMs).toBeGreaterThan(25_000)
    expect(waitedMs).toBeLessThanOrEqual(30_000)
  })

  it('is given up at once when the server wants more than a minute, and says how long', async () => {
    const { result, times } = await asked([busy(429, { 'retry-after': '61' })])
    expect(result).toMatchObject({
      status: 429,
      retryAfterMs: 61_000,
      message: expect.stringMatching(/61000 ms/),
    })
    expect(times).toBe(1)
  })

  it('is made again when the connection breaks before anything was said', async () => {
    for (const reply of [unreachable, breaking(), breaking(': ping\n\n')]) {
      expect(await asked([reply])).toMatchObject({ times: 2, result: [{ text: 'Hi' }, {}] })
    }
  })

  it('is not made again once something was said', async () => {
    const { result, times } = await asked([breaking(...events(delta({ content: 'On' })))])
    expect(result).toMatchObject({ name: 'ModelError' })
    expect(times).toBe(1)
  })

  it('stops waiting at once when it is aborted', async () => {
    const server = await ModelServer.start()
    server.reply(errorReply(429, 'busy', { 'retry-after': '50' }))
    const controller = new AbortController()
    const model = openAICompatible({ baseURL: server.baseURL, model: 'm' })
    const reading = collect(model, { signal: controller.signal })
    setTimeout(() => controller.abort(new Error('enough')), 300)
    const started = performance.now()
    await expect(reading).rejects.toThrow('enough')
    expect(performance.now() - started).toBeLessThan(10_000)
    expect(server.requests).toHaveLength(1)
  })
})

describe('an abort', () => {
  it('ends an answer at once whose fetch does not know the signal', async () => {
    const controller = new AbortController()
    let cancelled = false
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(events(delta({ content: 'Hi' }))[0])),
      cancel: () => {
        cancelled = true
      },
    })
    const model = openAICompatible({
      ...{ baseURL: 'http://model.test/v1', model: 'm' },
      fetch: async () => new Response(body),
    })
    const reading = (async () => {
      for await (const _event of model.stream({ messages: [], tools: [], signal: controller.signal })) {
        controller.abort(new Error('enough'))
      }
    })()
    await expect(reading).rejects.toThrow('enough')
    expect(cancelled).toBe(true)
  })
})
