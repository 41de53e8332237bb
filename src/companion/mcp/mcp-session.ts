import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { sendResponse } from '../http/send-response.ts'
import type { Sdk } from './load-sdk.ts'
import type { OpenPeer, Peer } from './peer.ts'

/** One session of one page with one server. */
export class McpSession {
  readonly id: string = randomUUID()
  /** The page that it belongs to: nobody else may use it, whatever they know. */
  readonly origin: string
  readonly #transport: WebStandardStreamableHTTPServerTransport
  #peer: Peer | undefined
  #streams = 0
  #usedAt = Date.now()
  #isClosed = false

  /** @throws when what serves it cannot be started. */
  static async open(sdk: Sdk, origin: string, openPeer: OpenPeer): Promise<McpSession> {
    const session = new McpSession(sdk, origin)
    session.#peer = await openPeer({
      // The SDK's own transport does not fit its own type with exact optional members.
      transport: session.#transport as Transport,
      isListening: () => session.#streams > 0,
    })
    return session
  }

  private constructor({ HttpTransport }: Sdk, origin: string) {
    this.origin = origin
    this.#transport = new HttpTransport({ sessionIdGenerator: () => this.id })
    this.#transport.onclose = () => void this.close()
  }

  /** Since when nothing was asked, in milliseconds since the epoch; undefined while something is. */
  get idleSince(): number | undefined {
    return this.#peer?.isBusy ? undefined : this.#usedAt
  }

  /** Whether the page is there: it listens. */
  get isAttended(): boolean {
    return this.#streams > 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** @param body - The JSON of a POST. */
  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const { method = 'GET' } = request
    if (method !== 'GET') this.#usedAt = Date.now()
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
    // The transport only looks at the path for its records.
    const asked = new Request('http://127.0.0.1/', { method, headers })
    if (method === 'POST') this.#watch(response, body)
    const answer = await this.#transport.handleRequest(asked, { parsedBody: body })
    if (method === 'GET' && answer.ok) this.#listen(response)
    if (method === 'DELETE' && answer.ok) await this.close()
    await sendResponse(answer, response)
  }

  /** Nothing was asked for a while. */
  rest(): void {
    this.#peer?.rest?.()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#transport.close()
    await this.#peer?.close()
  }

  #listen(response: ServerResponse): void {
    if (response.destroyed) return
    this.#streams += 1
    this.#usedAt = Date.now()
    response.on('close', () => {
      this.#streams -= 1
    })
    this.#peer?.listening?.()
  }

  /** A page that was closed in the middle of a call reads no answer: nothing runs on for nobody. */
  #watch(response: ServerResponse, body: unknown): void {
    const ids = [body].flat().flatMap((message) => {
      const { id, method } = Object(message) as { id?: unknown; method?: unknown }
      return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? [id] : []
    })
    if (ids.length === 0) return
    response.on('close', () => {
      this.#usedAt = Date.now()
      if (!response.writableFinished) this.#peer?.abandoned(ids)
    })
  }
}
