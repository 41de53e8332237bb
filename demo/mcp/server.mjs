import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  ElicitResultSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { DemoTools } from './tools.mjs'

const allowedHeaders =
  'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id, mcp-method, mcp-name'

/** How long the person may think about what a tool asks, in milliseconds. */
const askMs = 120_000

/**
 * Starts an MCP server on 127.0.0.1, for pages of this machine and of the origins that are named.
 *
 * @param {{ port: number, origins?: readonly string[] }} options - Port 0 is any that is free.
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function startServer({ port, origins = [] }) {
  const desk = new Desk(origins)
  const server = createServer((request, response) => {
    desk.answer(request, response).catch((error) => {
      if (response.headersSent) response.destroy()
      else end(response, 500, String(error))
    })
  })
  await new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}/mcp`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** All sessions of one server; its tools are the same for all. */
class Desk {
  #tools = new DemoTools()
  /** @type {Map<string, { server: Server, transport: StreamableHTTPServerTransport }>} */
  #sessions = new Map()
  #origins

  constructor(origins) {
    this.#origins = origins
  }

  async answer(request, response) {
    const { origin, host } = request.headers
    // A page elsewhere can point a name of its own at 127.0.0.1; then only Host tells.
    if (!isThisMachine(`http://${host}`)) return end(response, 403, 'This server answers to 127.0.0.1 only.')
    if (origin !== undefined) {
      const isAllowed = isThisMachine(origin) || this.#origins.includes(origin)
      if (!isAllowed)
        return end(response, 403, `Not for pages of ${origin}: start it with --origin ${origin}`)
      allowOrigin(response, origin)
    }
    if (request.method === 'OPTIONS') return end(response, 204)
    const { pathname } = new URL(request.url, 'http://127.0.0.1')
    if (pathname === '/mcp') return this.#answerMCP(request, response)
    if (pathname === '/change-description' && request.method === 'POST') {
      this.#tools.changeDescription()
      for (const { server } of this.#sessions.values()) await server.sendToolListChanged().catch(() => {})
      return end(response, 204)
    }
    end(response, 404, 'The MCP server is at /mcp.')
  }

  async #answerMCP(request, response) {
    const id = request.headers['mcp-session-id']
    if (id === undefined) return (await this.#open()).handleRequest(request, response)
    const session = this.#sessions.get(id)
    if (session === undefined) return end(response, 404, 'This session is over.')
    await session.transport.handleRequest(request, response)
  }

  async #open() {
    const server = new Server(
      { name: 'offstage-demo', version: '1.0.0' },
      { capabilities: { tools: { listChanged: true } } },
    )
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#sessions.set(id, { server, transport }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    })
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: this.#tools.list() }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
      return this.#tools.call(params, callOf(params, extra))
    })
    await server.connect(transport)
    return transport
  }
}

/** What a tool can do while it is called. */
function callOf({ _meta }, { signal, sendNotification, sendRequest }) {
  const progressToken = _meta?.progressToken
  return {
    signal,
    progress: (progress, total, message) => {
      if (progressToken === undefined) return
      const params = { progressToken, progress, total, message }
      void sendNotification({ method: 'notifications/progress', params }).catch(() => {})
    },
    /** Asks the person; a client that cannot do that is one that got no answer. */
    ask: (message, requestedSchema) => {
      const asked = { method: 'elicitation/create', params: { message, requestedSchema } }
      const answer = sendRequest(asked, ElicitResultSchema, { signal, timeout: askMs })
      return answer.catch(() => ({ action: 'cancel' }))
    },
  }
}

/** Whether an origin is a page, or a server, of this machine. */
function isThisMachine(origin) {
  return /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(origin)
}

function allowOrigin(response, origin) {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'origin')
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-allow-headers', allowedHeaders)
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate')
  response.setHeader('access-control-max-age', '600')
}

function end(response, status, text = '') {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}
