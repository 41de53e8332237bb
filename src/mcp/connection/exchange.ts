import { LinkedAbort } from '../../tool/abort.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { onDeadline } from '../../tool/on-deadline.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { Endpoint, OpenAnswer } from './endpoint.ts'
import { readFault, serverError } from './http-fault.ts'
import { McpError } from './mcp-connection.ts'
import { mediaTypeOf } from './media-type.ts'
import { readText } from './read-body.ts'
import { maxMessageChars, readEvents, type StreamCursor } from './read-events.ts'
import { resumeStream } from './resume-stream.ts'
import { shownUrl } from './shown-url.ts'
import { wait } from './wait.ts'
import { readMessages, type WireId, type WireMessage } from './wire-message.ts'

/** What is told of a request on its way. */
export interface RequestWay {
  /** It has to wait for a connection. */
  waits(): void
  /** It goes out now. */
  sent(): void
}

export interface OutgoingRequest {
  readonly id: WireId
  readonly method: string
  readonly init: RequestInit
  readonly way: RequestWay | undefined
}

export type ExchangeAnswer = { readonly result: JsonObject } | { readonly error: McpError }

/** What an exchange reports to. */
export interface ExchangeOwner {
  readonly endpoint: Endpoint
  /** Whether answers with 401 and 403 are for the SDK, which gets a token and sends the request again. */
  readonly authorizes: boolean
  /** A message that came on the stream of the request; not its answer. The signal tells when the request is over. */
  take(message: WireMessage, stop: LinkedAbort): void
  answer(id: WireId, answer: ExchangeAnswer): void
}

/**
 * One request and its answer, over as many connections as that takes: it ends with exactly one answer or failure,
 * unless it is released before. Then nothing of it is open any more.
 */
export class Exchange {
  readonly #request: OutgoingRequest
  readonly #owner: ExchangeOwner
  readonly #stop: LinkedAbort
  readonly #cursor: StreamCursor = {}
  #foreign: string | undefined
  #sent = false
  #over = false

  constructor(request: OutgoingRequest, owner: ExchangeOwner) {
    this.#request = request
    this.#owner = owner
    this.#stop = new LinkedAbort(request.init.signal ?? undefined)
  }

  /** Whether the server may know of it. */
  get wasSent(): boolean {
    return this.#sent
  }

  get isReleased(): boolean {
    return this.#stop.aborted
  }

  get #isOver(): boolean {
    return this.#over || this.#stop.aborted
  }

  /** Nobody waits for it any more: frees its connection. */
  release(): void {
    this.#over = true
    this.#stop.abort(new DOMException('The request was cancelled', 'AbortError'))
    this.#stop.release()
  }

  /** Sends it. What is given back tells the SDK only how that went; the answer is handed to the owner. */
  async run(): Promise<Response> {
    const { init, method, way } = this.#request
    const { endpoint } = this.#owner
    const waits = () => way?.waits()
    const sent = () => {
      this.#sent = true
      way?.sent()
    }
    const answer = await endpoint.open(init, { kind: 'request', stop: this.#stop, waits, sent })
    const { response } = answer
    if (!response.ok) return this.#refused(answer)
    const receipt = new Response(null, { status: 202, headers: sessionHeader(response) })
    // The SDK must have read the session id from the receipt before the answer lets the next request go.
    const ready = method === 'initialize' ? wait(0, this.#stop) : Promise.resolve()
    ready
      .then(() => this.#read(answer))
      .catch((error) => this.#settle({ error: this.#broken(error) }))
      .finally(() => {
        answer.close()
        this.#stop.release()
      })
      .catch(() => {})
    return receipt
  }

  async #refused(answer: OpenAnswer): Promise<Response> {
    const { endpoint, authorizes } = this.#owner
    const { status, statusText, headers } = answer.response
    const text = await readText(answer.response, answer.stop, maxFaultChars, 'cut').catch(() => '')
    answer.close()
    if (authorizes && (status === 401 || status === 403)) {
      this.#sent = false
      return new Response(text, { status, statusText, headers })
    }
    throw readFault(endpoint.url, status, text)
  }

  async #read(first: OpenAnswer): Promise<void> {
    const { response, stop } = first
    const type = mediaTypeOf(response)
    if (type === 'application/json') {
      this.#takeText(await readText(response, stop, maxMessageChars))
      if (!this.#over)
        this.#settle({ error: this.#noAnswer('Its answer is no JSON-RPC answer to this request') })
    } else if (type !== 'text/event-stream') {
      this.#settle({ error: this.#noAnswer(`It answered ${response.status} with ${type || 'nothing'}`) })
    } else await this.#follow(first)
  }

  /** Reads the stream, and takes it up again as long as the server has told how. */
  async #follow(first: OpenAnswer): Promise<void> {
    let answer: OpenAnswer | undefined = first
    for (let failures = 0; answer !== undefined; ) {
      const before = this.#cursor.lastEventId
      const cause = await this.#readStream(answer)
      if (this.#isOver) return
      const { lastEventId } = this.#cursor
      if (lastEventId === undefined) return this.#settle({ error: this.#broken(cause) })
      if (lastEventId !== before) failures = 0
      const { endpoint } = this.#owner
      const { headers } = this.#request.init
      answer = await resumeStream({ endpoint, headers, cursor: this.#cursor, stop: this.#stop, failures })
      failures += 1
    }
    this.#settle({ error: this.#broken(undefined) })
  }

  /** Reads until the stream ends; resolves to what it broke with. */
  async #readStream({ response, stop, close }: OpenAnswer): Promise<unknown> {
    let unset = () => {}
    const take = (data: string) => {
      this.#takeText(data)
      // Servers end the stream behind the answer; one that does not must not keep the connection.
      if (!this.#over) return
      unset()
      unset = onDeadline(lingerMs, close)
    }
    try {
      await readEvents(response, stop, this.#cursor, take)
      return undefined
    } catch (error) {
      return error
    } finally {
      unset()
      close()
    }
  }

  #takeText(text: string): void {
    for (const message of readMessages(text)) if (!this.#isOver) this.#take(message)
  }

  #take(message: WireMessage): void {
    const { id } = this.#request
    const { kind } = message
    // Some servers give a number back as text.
    if (kind === 'result' && String(message.id) === String(id)) this.#takeResult(message.result)
    // An error without an id can only be about this request.
    else if (kind === 'error' && String(message.id ?? id) === String(id))
      this.#settle({ error: serverError(message.error) })
    else if (kind === 'foreign') {
      this.#foreign ??= message.text
      if (message.isError)
        this.#settle({ error: this.#noAnswer('It answered with something that is not JSON-RPC') })
    } else this.#owner.take(message, this.#stop)
  }

  #takeResult(result: unknown): void {
    if (isRecord(result)) this.#settle({ result: result as JsonObject })
    else
      this.#settle({
        error: this.#noAnswer(`Its result is no object but ${JSON.stringify(result)?.slice(0, 100)}`),
      })
  }

  #settle(answer: ExchangeAnswer): void {
    if (this.#over) return
    this.#over = true
    this.#owner.answer(this.#request.id, answer)
  }

  #broken(cause: unknown): McpError {
    if (this.#foreign !== undefined)
      return this.#noAnswer('It answered with something that is not JSON-RPC', cause)
    const { url } = this.#owner.endpoint
    return new McpError(
      `The connection to ${shownUrl(url)} was lost before it had answered "${this.#request.method}": it may have run.`,
      { code: 'connection-lost', cause },
    )
  }

  #noAnswer(why: string, cause?: unknown): McpError {
    const { endpoint } = this.#owner
    const said = this.#foreign === undefined ? '' : `: ${this.#foreign}`
    return new McpError(`${shownUrl(endpoint.url)} did not answer "${this.#request.method}". ${why}${said}`, {
      code: 'protocol',
      cause,
    })
  }
}

/** Of the body of an error answer, this much is read. */
const maxFaultChars = 10_000

/** How long a connection is kept for the end of a stream whose answer has come. */
const lingerMs = 500

function sessionHeader(response: Response): Record<string, string> {
  const id = response.headers.get('mcp-session-id')
  return id === null ? {} : { 'mcp-session-id': id }
}
