import { LinkedAbort } from '../../tool/abort.ts'
import { within } from '../../tool/time-limit.ts'
import type { Endpoint } from './endpoint.ts'
import { Exchange, type ExchangeAnswer, type ExchangeOwner, type RequestWay } from './exchange.ts'
import { readFault } from './http-fault.ts'
import { McpError } from './mcp-connection.ts'
import type { SlotKind } from './origin-slots.ts'
import { readText } from './read-body.ts'
import type { WireId, WireMessage } from './wire-message.ts'

export interface ReleasedFetchOptions {
  readonly endpoint: Endpoint
  readonly authorizes: boolean
  /** Of a message that has no answer, in milliseconds. */
  readonly timeoutMs: number
  readonly fetch?: typeof fetch | undefined
  /** Takes each message that came, as if it came from the SDK's own transport. */
  deliver(message: object): void
}

/**
 * The `fetch` of the SDK's transport. It reads the answers itself and hands their messages on, because the transport
 * keeps the connection of a request that was cancelled, resumes it, and does not notice that an answer will never come:
 * what the transport gets back is only a receipt.
 */
export class ReleasedFetch implements ExchangeOwner {
  readonly endpoint: Endpoint
  readonly authorizes: boolean
  readonly #options: ReleasedFetchOptions
  /** Who wants to know of the way of a request, by its id. */
  readonly ways: Map<WireId, RequestWay> = new Map()
  readonly #exchanges = new Map<WireId, Exchange>()
  /** What stops the request on whose stream a question of the server came, by the question's id. */
  readonly #askedOn = new Map<WireId, LinkedAbort>()

  constructor(options: ReleasedFetchOptions) {
    this.endpoint = options.endpoint
    this.authorizes = options.authorizes
    this.#options = options
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    if (String(url) !== this.endpoint.url.href) return this.#elsewhere(url, init)
    if (init.method === 'DELETE') return this.#tell(init, 'reply', courtesyMs)
    const message = JSON.parse(String(init.body)) as SentMessage
    const { id, method, params } = message
    if (id !== undefined && method !== undefined) return this.#ask(id, method, init)
    if (method === 'notifications/cancelled') return this.#cancel(params?.requestId as WireId, init)
    if (id !== undefined) this.#askedOn.delete(id)
    return this.#tell(init, method === undefined ? 'reply' : 'request')
  }

  /** What stops the request that a question of the server belongs to; undefined when it belongs to none. */
  stopOf(questionId: WireId): LinkedAbort | undefined {
    return this.#askedOn.get(questionId)
  }

  take(message: WireMessage, stop?: LinkedAbort): void {
    const { kind, ...members } = message
    // An answer belongs on the stream of its request.
    if (kind === 'foreign' || kind === 'result' || kind === 'error') return
    if (kind === 'request' && stop !== undefined) this.#askedOn.set(message.id, stop)
    this.#options.deliver({ jsonrpc: '2.0', ...members })
  }

  answer(id: WireId, answer: ExchangeAnswer): void {
    this.#exchanges.delete(id)
    // The SDK hands progress on in a microtask, and drops it once the answer is there.
    queueMicrotask(() => this.#options.deliver({ jsonrpc: '2.0', id, ...envelope(answer) }))
  }

  async #ask(id: WireId, method: string, init: RequestInit): Promise<Response> {
    // While the SDK got a token, nobody waited for the answer any more.
    if (this.#exchanges.get(id)?.isReleased) return this.#forget(id)
    const exchange = new Exchange({ id, method, init, way: this.ways.get(id) }, this)
    this.#exchanges.set(id, exchange)
    try {
      return await exchange.run()
    } catch (error) {
      if (exchange.isReleased) return this.#forget(id)
      exchange.release()
      if (!(error instanceof McpError)) throw error
      this.answer(id, { error })
      return receipt(202)
    }
  }

  async #cancel(id: WireId, init: RequestInit): Promise<Response> {
    const exchange = this.#exchanges.get(id)
    exchange?.release()
    if (exchange?.wasSent) this.#exchanges.delete(id)
    // What never reached the server need not be cancelled there.
    return exchange?.wasSent ? this.#tell(init, 'reply', courtesyMs) : receipt(200)
  }

  #forget(id: WireId): Response {
    this.#exchanges.delete(id)
    return receipt(202)
  }

  /** Sends what has no answer, in bounded time. */
  async #tell(init: RequestInit, kind: SlotKind, timeoutMs = this.#options.timeoutMs): Promise<Response> {
    const stop = new LinkedAbort(init.signal ?? undefined)
    stop.startDeadline(timeoutMs, 'The timeout')
    try {
      const { response, close } = await this.endpoint.open(init, {
        kind,
        stop,
        diagnosed: kind === 'request',
      })
      const { ok, status, statusText, headers } = response
      // A connection whose body was read can be used again; but who tells does not wait for a body without an end.
      const text = await within(readText(response, stop, maxFaultChars, 'cut'), lingerMs, '').catch(() => '')
      close()
      if (ok || init.method === 'DELETE') return receipt(ok ? 200 : status)
      if (this.authorizes && (status === 401 || status === 403)) {
        return new Response(text, { status, statusText, headers })
      }
      throw readFault(this.endpoint.url, status, text)
    } finally {
      stop.release()
    }
  }

  /** Requests of the SDK to servers that give out tokens: they must end too. */
  async #elsewhere(url: string | URL, init: RequestInit): Promise<Response> {
    const stop = new LinkedAbort(init.signal ?? undefined)
    stop.startDeadline(this.#options.timeoutMs, 'The timeout')
    const send = this.#options.fetch ?? fetch
    try {
      const response = await send(url, { ...init, signal: stop.signal })
      // What a browser hides of a redirect cannot be copied.
      if (response.status < 200) return response
      const text = await readText(response, stop, maxMetadataChars)
      const { status, statusText, headers } = response
      return new Response(hasNoBody.includes(status) ? null : text, { status, statusText, headers })
    } finally {
      stop.release()
    }
  }
}

interface SentMessage {
  readonly id?: WireId
  readonly method?: string
  readonly params?: { readonly requestId?: unknown }
}

const maxFaultChars = 10_000
const lingerMs = 500
/** What only helps the server must not hold a connection for long. */
const courtesyMs = 2_000
const maxMetadataChars = 1_000_000
const hasNoBody = [101, 204, 205, 304]

/** For a request: 202 tells the SDK to wait. For another message: not 202, or it would open a stream of its own. */
function receipt(status: number): Response {
  return new Response(null, { status })
}

/**
 * The SDK checks each result and error, and drops what it finds odd, so that the request would wait for ever. It does
 * not look into these.
 */
function envelope(answer: ExchangeAnswer): object {
  if ('result' in answer) return { result: { value: answer.result } }
  return { error: { code: 0, message: answer.error.message, data: answer.error } }
}
