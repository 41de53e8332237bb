import type { JsonObject } from 'offstage'
import { McpError, memoryPinStore } from 'offstage/mcp'
import { onTestFinished } from 'vitest'
import type { McpConnection, McpConnectionEvents } from '../../../../src/mcp/connection/mcp-connection.ts'
import { checkClientOptions, type MCPClientOptions } from '../../../../src/mcp/mcp-options.ts'
import { RemoteServer, type ServerState } from '../../../../src/mcp/remote-server.ts'

/** A server behind connections that are made of nothing: what it offers, and what it did. */
export class FakeServer {
  tools: readonly JsonObject[] = [toolNamed('one')]
  readonly connections: FakeConnection[] = []
  /** What opening waits for, and may fail with. */
  opening: (signal: AbortSignal | undefined) => Promise<void> = async () => {}
  listing: () => Promise<void> = async () => {}
  calling: McpConnection['callTool'] = async (name) => ({ content: [{ type: 'text', text: `${name} ran` }] })
  lists = 0

  get last(): FakeConnection {
    return this.connections.at(-1) as FakeConnection
  }

  get openConnections(): number {
    return this.connections.filter(({ isClosed }) => !isClosed).length
  }
}

/** One of its connections. */
export class FakeConnection implements McpConnection {
  readonly server = { name: 'fake', version: '1', protocolVersion: '2025-11-25', capabilities: {} }
  readonly reportsStart = true
  readonly events: McpConnectionEvents
  readonly #owner: FakeServer
  isClosed = false

  constructor(owner: FakeServer, events: McpConnectionEvents) {
    this.#owner = owner
    this.events = events
    owner.connections.push(this)
  }

  async listTools() {
    this.#owner.lists += 1
    await this.#owner.listing()
    return { items: this.#owner.tools }
  }

  callTool: McpConnection['callTool'] = (...given) => this.#owner.calling(...given)
  listResources = async () => ({ items: [] })
  listResourceTemplates = async () => ({ items: [] })
  listPrompts = async () => ({ items: [] })
  readResource = async () => ({})
  getPrompt = async () => ({})

  async close() {
    this.isClosed = true
  }
}

/** The part of a client that works, over a server that is made of nothing; it is closed after the test. */
export function remoteOver(fake: FakeServer, options: Partial<MCPClientOptions> = {}) {
  const states: ServerState[] = []
  const settings = checkClientOptions({
    url: 'https://example.com/mcp',
    namespace: 'lab',
    needsApproval: false,
    pinStore: memoryPinStore(),
    ...options,
  })
  const remote = new RemoteServer(
    settings,
    async ({ events, signal }) => {
      await fake.opening(signal)
      return new FakeConnection(fake, events)
    },
    (state) => states.push(state),
  )
  onTestFinished(() => remote.close())
  return { remote, states, statesOf: () => states.map(({ status }) => status.state) }
}

export function toolNamed(name: string, description = `Does ${name}.`): JsonObject {
  return { name, description, inputSchema: { type: 'object' } }
}

/** Never settles. */
export function never(): Promise<never> {
  return new Promise(() => {})
}

export function unreachable(): McpError {
  return new McpError('https://example.com/mcp cannot be reached.', {
    code: 'unreachable',
    mayHaveRun: false,
  })
}
