import type { ModelAdapter, ModelEvent, ModelRequest } from '../agent/model-adapter.ts'
import type { DialectTexts } from '../schema-dialects/dialect-texts.ts'
import { checkCount, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import { isRecord, isStringList } from '../tool/value-kinds.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import { readEvents } from './event-stream.ts'
import { brokenError, httpError, type ModelServer, networkError } from './model-server.ts'
import { AnswerReader } from './openai-stream.ts'
import type { SetAsideTool, ToolDialect } from './tool-wire.ts'
import { withRetries } from './with-retries.ts'
import type { WrittenRequest } from './write-openai-request.ts'

/** Where a model is served, and how it is asked. */
export interface OpenAICompatibleOptions {
  /**
   * The address in front of `/chat/completions`, with its query if it has one: `https://api.openai.com/v1`,
   * `http://localhost:11434/v1` (Ollama), `:1234/v1` (LM Studio), `:8080/v1` (llama.cpp), `:8000/v1` (vLLM),
   * `:30000/v1` (SGLang). A page may name one of its own: `/api/v1`.
   */
  readonly baseURL: string
  /** The model's name, as its server knows it. */
  readonly model: string
  /** Sent as a bearer token. Whoever opens the page can read it: give one of the person's own, or ask a server of yours. */
  readonly apiKey?: string
  /** Sent with every request; they win over the adapter's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Asks instead of the global `fetch`: for cookies, for tokens that change, for tests. */
  readonly fetch?: typeof fetch
  /**
   * More fields of the request, for example `{ temperature: 0 }`. `{ stream: false }` for servers that cannot stream
   * calls. Not `model`, `messages`, `tools` and `n`.
   */
  readonly body?: JsonObject
  /**
   * What the model can do. `images` and `files` say that it is shown those of tool results; else it reads a line of
   * text in their place. Images that a person gives are sent unless there is a list without `images`.
   */
  readonly capabilities?: readonly string[]
  /** How often a request is made again after 408, 409, 429, 5xx or no answer, before any output. @default 2 */
  readonly maxRetries?: number
  /** Asks for the tokens that a request cost; off for servers that refuse `stream_options`. @default true */
  readonly includeUsage?: boolean
  /**
   * Whether ids of calls are sent as nine letters and digits, which Mistral's models demand.
   * @default true when `baseURL` is Mistral's own
   */
  readonly shortCallIds?: boolean
  /**
   * Whose rules the tools are written by: those of the provider that the server asks in the end.
   * @default 'openai', unless `baseURL` is Google's or Anthropic's own
   */
  readonly dialect?: ToolDialect
  /** Whether the model is held to the schemas while it writes, for tools whose schema allows it. @default false */
  readonly strict?: boolean
  /** Words for the model in place of what the provider's schemas cannot say. @default English */
  readonly schemaTexts?: Partial<DialectTexts>
  /** Told of each tool that cannot be sent, and why: the others are. */
  readonly onSetAside?: (tool: SetAsideTool) => void
}

const optionNames = [
  ...['baseURL', 'model', 'apiKey', 'headers', 'fetch', 'body', 'capabilities', 'maxRetries'],
  ...['includeUsage', 'shortCallIds', 'dialect', 'strict', 'schemaTexts', 'onSetAside'],
]
const otherNames = new Map([
  ['baseUrl', 'baseURL'],
  ['url', 'baseURL'],
  ['modelId', 'model'],
  ['key', 'apiKey'],
])
const ownFields = ['model', 'messages', 'tools', 'n']
const where = 'openAICompatible()'

/**
 * A model behind an OpenAI-compatible chat completions endpoint: OpenAI, Ollama, LM Studio, llama.cpp, vLLM, SGLang
 * and others. Answers are streamed; a server that answers in one piece is understood as well. A stream that just
 * stops, without a finish reason and without its end marker, ends with `length`: calls in it do not run.
 *
 * @throws {@link ToolRegistrationError} for options that are not valid. Its `stream` throws {@link ModelError}.
 * @example
 * const model = openAICompatible({ baseURL: 'http://localhost:11434/v1', model: 'qwen3' })
 */
export function openAICompatible(options: OpenAICompatibleOptions): ModelAdapter {
  const { model, capabilities, maxRetries = 2 } = options
  const { server, headers } = readOptions(options)
  // It keeps what it made of the tools from request to request.
  const write = latePart(async () => {
    const { openaiRequests } = await import('./write-openai-request.ts')
    return { request: openaiRequests(options) }
  })
  return defined({
    name: model,
    capabilities,
    stream: (request: ModelRequest) =>
      withRetries(() => ask(request, options, { server, headers, write }), maxRetries, request.signal),
  })
}

/** What every request of an adapter needs. */
interface Asking {
  readonly server: ModelServer
  readonly headers: Headers
  readonly write: () => MaybePromise<{ request(request: ModelRequest): WrittenRequest }>
}

async function* ask(
  request: ModelRequest,
  options: OpenAICompatibleOptions,
  { server, headers, write }: Asking,
): AsyncGenerator<Iterable<ModelEvent>> {
  const { signal, closedTools } = request
  const written = (await write()).request(request)
  const post = async (body: string) => {
    try {
      // Called by itself: a browser's own fetch must not be a method of something.
      const send = options.fetch ?? fetch
      return await send(server.url, { method: 'POST', headers, body, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw networkError(server, error)
    }
  }
  signal.throwIfAborted()
  let response = await post(written.body)
  // Without tools no model can call one; `tool_choice` is ignored by some (ollama#17921). But others take no calls in
  // the history then.
  if ((response.status === 400 || response.status === 422) && closedTools !== undefined) {
    await response.body?.cancel()
    response = await post(written.closedBody())
  }
  if (!response.ok) throw await httpError(server, response)
  const answer = new AnswerReader(server)
  const { body } = response
  const events = body === null ? undefined : readEvents(body, signal, (cause) => brokenError(server, cause))
  try {
    while (!answer.isDone) {
      const batch = await events?.next()
      if (batch === undefined) break
      if (batch.length > 0) yield readEach(answer.read(batch), written)
    }
    yield readEach(answer.end(), written)
  } finally {
    events?.close()
  }
}

function* readEach(events: Iterable<ModelEvent>, { read }: WrittenRequest): Generator<ModelEvent> {
  for (const event of events) yield read(event)
}

function readOptions(options: OpenAICompatibleOptions): { server: ModelServer; headers: Headers } {
  checkOptions(options, optionNames, where, (name) => otherNames.get(name))
  const { baseURL, model, apiKey, headers: given = {}, body = {}, capabilities, maxRetries } = options
  checkCount(maxRetries, 0, `${where}: maxRetries`)
  refuse(
    typeof baseURL !== 'string' || baseURL === '',
    'baseURL must be an address, for example "http://localhost:11434/v1"',
  )
  refuse(/\/chat\/completions\/?(\?|$)/.test(baseURL), 'baseURL must end before "/chat/completions"')
  refuse(/^\w+:\/\/[^/?]*@/.test(baseURL), 'baseURL must not hold a password: give apiKey or headers')
  refuse(typeof model !== 'string' || model === '', "model must be the model's name")
  // Without a look at it an error of the browser would show the key. Copied ones often end in a line break.
  refuse(
    apiKey !== undefined && !/^[!-~]+$/.test(apiKey),
    'apiKey must be one word: it holds a space or another character that no key has',
  )
  refuse(!isRecord(given), 'headers must be an object')
  refuse(!isRecord(body), 'body must be an object')
  const { dialect = 'openai' } = options
  refuse(
    !['openai', 'anthropic', 'gemini'].includes(dialect),
    'dialect must be "openai", "anthropic" or "gemini"',
  )
  refuse(capabilities !== undefined && !isStringList(capabilities), 'capabilities must be a list of strings')
  for (const field of ownFields) refuse(field in body, `body must not hold "${field}": the adapter writes it`)
  const headers = new Headers({ 'content-type': 'application/json' })
  if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`)
  for (const [name, value] of Object.entries(given)) setHeader(headers, name, value)
  const secrets = [apiKey, ...secretHeaders(given)].filter((secret) => secret !== undefined)
  const url = baseURL.replace(/\/?(\?.*)?$/s, '/chat/completions$1')
  return { server: { model, url, secrets }, headers }
}

function refuse(isWrong: boolean, rule: string): void {
  if (isWrong) throw new ToolRegistrationError(`${where}: ${rule}.`)
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The error of the browser would show the value.
    refuse(true, `the header "${name}" is not valid`)
  }
}

function secretHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    /auth|key|token|secret|cookie/i.test(name) ? [value.replace(/^bearer /i, '')] : [],
  )
}
