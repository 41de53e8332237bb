import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, refuse } from '../http/answer.ts'
import { readJson } from '../http/read-body.ts'
import type { Sdk } from './load-sdk.ts'
import { McpSession } from './mcp-session.ts'
import type { OpenPeer } from './peer.ts'

/** Of all pages together: each may have a process of its own. */
const maxSessions = 16

/** What an endpoint is made with. */
export interface EndpointOptions {
  readonly sdk: Sdk
  readonly openPeer: OpenPeer
  readonly maxBodyBytes: number
  /** After so long without a request a session rests, or ends when nobody listens; in milliseconds. */
  readonly idleMs: number
}

/** One MCP server of the companion, at one path. */
export class McpEndpoint {
  readonly #options: EndpointOptions
  readonly #sessions = new Map<string, McpSession>()
  #opening = 0

  constructor(options: EndpointOptions) {
    this.#options = options
  }

  /** Answers a request that passed the gate. */
  async handle(request: IncomingMessage, response: ServerResponse, origin: string): Promise<void> {
    const { method } = request
    if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') return refuse(response, wrongMethod)
    const body =
      method === 'POST' ? await readJson(request, this.#options.maxBodyBytes) : { value: undefined }
    if ('code' in body) return refuse(response, body)
    const id = request.headers['mcp-session-id']
    if (id === undefined && isInitialize(body.value))
      return this.#begin(request, response, origin, body.value)
    const session = this.#sessions.get(String(id))
    // One answer for a session that is over and for that of another page.
    if (session === undefined || session.origin !== origin) return refuse(response, noSession)
    await session.handle(request, response, body.value)
    this.#forgetClosed()
  }

  /** Lets sessions rest that nobody has used for a while, and ends those that nobody listens to. */
  tidy(now: number): void {
    this.#forgetClosed()
    for (const session of this.#sessions.values()) {
      const since = session.idleSince
      if (since === undefined || now - since < this.#options.idleMs) continue
      if (session.isAttended) session.rest()
      else void session.close()
    }
    this.#forgetClosed()
  }

  async close(): Promise<void> {
    const sessions = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.all(sessions.map((session) => session.close()))
  }

  async #begin(
    request: IncomingMessage,
    response: ServerResponse,
    origin: string,
    body: unknown,
  ): Promise<void> {
    this.#forgetClosed()
    if (this.#sessions.size + this.#opening >= maxSessions) return refuse(response, tooMany)
    const { sdk, openPeer } = this.#options
    this.#opening += 1
    try {
      const session = await McpSession.open(sdk, origin, openPeer)
      this.#sessions.set(session.id, session)
      await session.handle(request, response, body)
    } finally {
      this.#opening -= 1
    }
  }

  #forgetClosed(): void {
    for (const [id, { isClosed }] of this.#sessions) if (isClosed) this.#sessions.delete(id)
  }
}

function isInitialize(body: unknown): boolean {
  return (Object(body) as { method?: unknown }).method === 'initialize'
}

// MCP 2025-11-25, basic/transports: with 404 a client knows that it has to begin a new session.
const noSession: Refusal = {
  status: 404,
  code: 'not-found',
  message: 'There is no such session. Begin one with initialize.',
}

const wrongMethod: Refusal = { status: 405, code: 'method', message: 'Use POST, GET or DELETE.' }

const tooMany: Refusal = {
  status: 503,
  code: 'too-many-sessions',
  message: `${maxSessions} sessions are open. Close pages that are connected, or start the companion again.`,
}
