import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { LabCors, LabServerOptions, LabTool } from './lab-options.ts'
import { type LabMessage, type LabRequest, readRequest } from './lab-request.ts'
import { LabSession } from './lab-session.ts'
import { LabStream } from './lab-stream.ts'
import { usualTools } from './lab-tools.ts'

/** An MCP server on loopback that behaves as it is told: well, badly, or both in turn. */
export async function startLabServer(options: LabServerOptions = {}): Promise<LabServer> {
  const server = createServer()
  const lab = new LabServer(server, options)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  lab.port = (server.address() as AddressInfo).port
  return lab
}

/** See {@link startLabServer}. */
export class LabServer {
  /** All that came, in order; preflights too. */
  readonly requests: LabRequest[] = []
  /** What it does; may be changed while it runs. */
  options: LabServerOptions
  tools: readonly LabTool[]
  readonly #sessions = new Map<string | undefined, LabSession>()
  readonly #sockets = new Set<Socket>()
  readonly #server: Server
  /** Known also when it is closed, so that another one can start there. */
  port = 0
  #streamCount = 0
  #sessionCount = 0

  constructor(server: Server, options: LabServerOptions) {
    this.#server = server
    this.options = options
    this.tools = options.tools ?? usualTools
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      // Whoever left in the middle of a request is no failure of a test.
      this.#take(request, response).catch(() => response.destroy())
    })
  }

  /** The address of its endpoint. */
  get url(): string {
    return `${this.origin}/mcp`
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** TCP connections that are open, used or not. */
  get connections(): number {
    return this.#sockets.size
  }

  /** Answers that are still being sent: streams, and what is not answered yet. */
  get openAnswers(): number {
    return this.requests.filter(({ isOpen }) => isOpen()).length
  }

  /** Clients that read the stream of a GET. */
  get listeners(): number {
    return [...this.#sessions.values()].filter(({ standing }) => standing?.isOpen).length
  }

  get sessions(): number {
    return this.#sessions.size
  }

  /** The requests of a JSON-RPC method, or of an HTTP method. */
  of(method: string): LabRequest[] {
    return this.requests.filter((request) => request.method === method || request.message?.method === method)
  }

  /** Sends a message to all who read the stream of a GET. */
  push(method: string, params?: Readonly<Record<string, unknown>>): void {
    for (const { standing } of this.#sessions.values()) standing?.send({ jsonrpc: '2.0', method, params })
  }

  /** Other tools from now on, and `list_changed` to all who listen. */
  changeTools(tools: readonly LabTool[]): void {
    this.tools = tools
    this.push('notifications/tools/list_changed')
  }

  /** Forgets all sessions, as a restart does; their streams break. */
  loseSessions(): void {
    for (const session of this.#sessions.values()) session.drop()
    this.#sessions.clear()
  }

  /** Breaks the streams of the GETs, and nothing else. */
  breakListeners(): void {
    for (const { standing } of this.#sessions.values()) standing?.break()
  }

  /** Breaks all connections, and is gone. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming, response)
    this.requests.push(request)
    if (await this.options.handle?.(request, response)) return
    const headers = corsHeaders(this.options.cors)
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (!request.url.startsWith('/mcp')) end(response, 404, 'not found')
    else if (request.method === 'OPTIONS') end(response, this.options.cors === false ? 405 : 204)
    else this.#route(request, response)
  }

  #route(request: LabRequest, response: ServerResponse): unknown {
    const { getStatus, deleteStatus, lostStatus = 404 } = this.options
    const { method, message } = request
    if (method === 'GET' && getStatus !== undefined) return end(response, getStatus, 'no stream here')
    if (method === 'DELETE' && deleteStatus !== undefined) return end(response, deleteStatus)
    const session = message?.method === 'initialize' ? this.#open() : this.#find(request)
    if (session === undefined) return end(response, lostStatus, 'Session not found')
    if (method === 'GET') return this.#listen(request, response, session)
    if (method === 'DELETE') {
      session.drop()
      this.#sessions.delete(session.id)
      return end(response, 200)
    }
    if (message === undefined) return end(response, 400, 'not JSON')
    if (message.id !== undefined && message.method !== undefined) this.#answer(request, response, session)
    else {
      session.take(message)
      end(response, 202)
    }
  }

  #find({ headers }: LabRequest): LabSession | undefined {
    if (this.options.sessions !== false) return this.#sessions.get(headers['mcp-session-id']?.toString())
    return this.#sessions.get(undefined) ?? this.#open()
  }

  #open(): LabSession {
    const id = this.options.sessions === false ? undefined : `session-${++this.#sessionCount}`
    const session = this.#sessions.get(id) ?? new LabSession(id)
    this.#sessions.set(id, session)
    return session
  }

  #answer(request: LabRequest, response: ServerResponse, session: LabSession): void {
    const options = { ...this.options, tools: this.tools }
    const headers = session.id === undefined ? {} : { 'mcp-session-id': session.id }
    if (options.answers === 'json') {
      const finish = (message: unknown) => {
        response.writeHead(200, { ...headers, 'content-type': 'application/json' })
        response.end(JSON.stringify(message))
      }
      void session.run(request, options, { finish })
      return
    }
    const stream = this.#newStream(session)
    stream.attach(response, headers)
    const finish = (message: unknown) => {
      stream.send(message)
      stream.end()
    }
    void session.run(request, options, { stream, finish })
  }

  #newStream(session: LabSession): LabStream {
    const id = `stream-${++this.#streamCount}`
    const stream = new LabStream(id, this.options.eventStore ?? false)
    session.streams.set(id, stream)
    return stream
  }

  #listen({ headers }: LabRequest, response: ServerResponse, session: LabSession): unknown {
    const after = headers['last-event-id']?.toString()
    const resumed = after === undefined ? undefined : session.streams.get(LabStream.idOf(after))
    if (resumed !== undefined) {
      resumed.attach(response, {}, after)
      return
    }
    if (session.standing?.isOpen && session.id !== undefined) return end(response, 409, 'one stream only')
    session.standing = this.#newStream(session)
    session.standing.attach(response, {})
  }
}

function end(response: ServerResponse, status: number, text?: string): ServerResponse {
  response.writeHead(status)
  return response.end(text)
}

/** What a browser on any other origin must be told before it lets a page use MCP. */
function corsHeaders(cors: false | LabCors = {}): Readonly<Record<string, string>> {
  if (cors === false) return {}
  const { origin = '*', exposeHeaders = 'mcp-session-id, www-authenticate', allowHeaders = needed } = cors
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposeHeaders,
    'access-control-allow-headers': allowHeaders,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-max-age': '600',
  }
}

const needed = 'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id'

export type { LabCall, LabServerOptions, LabTool } from './lab-options.ts'
export type { LabMessage, LabRequest }
