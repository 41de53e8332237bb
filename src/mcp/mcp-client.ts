import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { throwLater } from '../tool/throw-later.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { routed } from '../toolset/routed.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from '../toolset/tool-source.ts'
import type { McpConnection, McpRequestOptions } from './connection/mcp-connection.ts'
import type { SetAside } from './definitions/server-tool.ts'
import { type LateServer, lateServer } from './late-server.ts'
import { type ClientSettings, checkClientOptions, type MCPClientOptions } from './mcp-options.ts'
import { idle, type MCPStatus } from './mcp-status.ts'
import type { MCPTool } from './mcp-tool.ts'
import type { RemoteServer, ServerState } from './remote-server.ts'
import type { PromptMessages } from './results/read-prompt-messages.ts'
import type { ResourceContents } from './results/read-resource-contents.ts'
import type { MCPList, MCPPrompt, MCPResource, MCPResourceTemplate, ServerLists } from './server-lists.ts'
import type { ShownTool } from './shown-tool.ts'

/**
 * A remote MCP server (Streamable HTTP) as a source of tools: its tools go through the same gate as all others. The
 * constructor touches nothing; it connects with `connect()`, or with the first list or call. A server that cannot be
 * reached offers no tools and holds nobody up: `status` and `notes()` say why, and a later list tries again.
 *
 * @throws {@link ToolRegistrationError} from the constructor, for an option that cannot be.
 * @example
 * const files = new MCPClient({ url: 'https://example.com/mcp', namespace: 'files' })
 * const agent = new Agent({ model, tools: [files], confirm: confirmDialog() })
 */
export class MCPClient implements ToolSource {
  /** `mcp:{namespace}`, which is also the origin of the tools. */
  readonly label: string
  readonly conflictHint: string
  /** A server may offer other tools at any time. */
  readonly dynamic = true
  /** A call may wait for one of the few connections that a browser keeps to an origin; its deadline counts after that. */
  readonly reportsStart = true
  readonly #settings: ClientSettings
  readonly #listeners = new Set<() => void>()
  #server: RemoteServer | undefined
  #state: ServerState | undefined
  #closed = false

  constructor(options: MCPClientOptions) {
    this.#settings = checkClientOptions(options)
    const { namespace } = this.#settings
    this.label = `mcp:${namespace}`
    this.conflictHint = `Give the server "${namespace}" another namespace.`
  }

  /** How it stands with the server; another object whenever that changes. */
  get status(): MCPStatus {
    return this.#state?.status ?? idle
  }

  /** The tools that were read last, without waiting; none while the server is not ready. */
  get tools(): readonly MCPTool[] {
    return this.#state?.tools ?? []
  }

  /** What the server offers that cannot be used, and why. */
  get setAside(): readonly SetAside[] {
    return this.#state?.setAside ?? []
  }

  /** For a person: why it is not kept which tools are trusted, when the browser gives no storage. */
  get pinNote(): string | undefined {
    return this.#server?.pinNote
  }

  /**
   * Connects, and reads the tools; opens the client again after `close()`. Does nothing when it is connected.
   *
   * @throws {@link McpError} that says why the server cannot be used, and what helps.
   */
  async connect(): Promise<void> {
    this.#closed = false
    await (await this.#late()).connect()
  }

  /**
   * The tools of the server, connected if need be: to look at, or to put into a `ToolRegistry`. Whoever gives the client
   * itself to an agent needs none of it, and its tools follow the server.
   *
   * @throws {@link McpError} as {@link connect} does.
   */
  async loadTools(): Promise<readonly MCPTool[]> {
    await this.connect()
    return this.tools
  }

  /**
   * Reads the tools anew; for servers that do not say when they change. Connects if need be.
   *
   * @throws {@link McpError} when the server cannot be asked.
   */
  async refresh(): Promise<void> {
    await (await this.#late()).refresh()
  }

  /**
   * Keeps, with the pins, that a person has read these tools (names, descriptions, parameters) and accepts them: their
   * words taint no run any more. It holds until one changes, for none that is added, and is no yes to any call.
   *
   * @param shown - What the person was shown: tools of {@link tools}, as they were then.
   * @throws ToolError (`fingerprint-mismatch`) that names those that are not the same any more, or have drifted from
   * their pin (say yes to that in the dialog of a call): then none is accepted. {@link McpError} as {@link connect} does.
   */
  async acceptTools(shown: readonly ShownTool[]): Promise<void> {
    await (await this.#late()).acceptTools(shown)
  }

  /**
   * Lets the person sign in, and connects. Call it from a click, before anything else is waited for: browsers open no
   * window otherwise.
   *
   * @throws AuthorizationError that says what to do next; {@link McpError} as {@link connect} does.
   */
  async authorize(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    const access = this.#settings.auth?.forServer(this.#settings.url)
    if (access === undefined) {
      const hint =
        'Pass auth: oauth({ … }), or send a token with headers and call connect() when there is a new one.'
      throw new ToolRegistrationError(`${this.label}, authorize(): there is no auth. ${hint}`)
    }
    // Nothing may be waited for up to here: the click would not count any more.
    await access.authorize(options)
    await this.connect()
  }

  /** Never rejects: a server that cannot be used offers nothing. */
  async list(): Promise<readonly ListedTool[]> {
    try {
      return await (await this.#late()).list()
    } catch (error) {
      this.#broken(error)
      return []
    }
  }

  preflight(name: string, input: unknown, options: SourceCallOptions = {}): MaybePromise<Preflight> {
    return routed(
      name,
      async () => this.#late(),
      (server) => server.preflight(name, input, options),
    )
  }

  /** Runs a tool, without the gate: use an agent or a `ToolExecutor` for calls that a model asks for. */
  async call(name: string, input: unknown, options: SourceCallOptions = {}): Promise<CallOutcome> {
    return routed(
      name,
      async () => this.#late(),
      (server) => server.call(name, input, options),
    )
  }

  notes(): readonly SourceNote[] {
    if (this.#server !== undefined) return this.#server.notes()
    const { status } = this
    return status.state === 'failed' ? [{ kind: 'failed', source: this.label, message: status.reason }] : []
  }

  /** Calls the listener when `status`, `tools` or `setAside` changed; returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @throws {@link McpError} when the server cannot be used, or has no resources. */
  listResources(): Promise<MCPList<MCPResource>> {
    return this.#ask((connection, { listResources }) => listResources(connection, this.#settings))
  }

  /** @throws {@link McpError} when the server cannot be used, or has no resources. */
  listResourceTemplates(): Promise<MCPList<MCPResourceTemplate>> {
    return this.#ask((connection, { listResourceTemplates }) =>
      listResourceTemplates(connection, this.#settings),
    )
  }

  /** @throws {@link McpError} when the server cannot be used, or has no such resource. */
  readResource(uri: string, options: McpRequestOptions = {}): Promise<ResourceContents> {
    return this.#ask((connection, { readResource }) => readResource(connection, uri, options))
  }

  /** @throws {@link McpError} when the server cannot be used, or has no prompts. */
  listPrompts(): Promise<MCPList<MCPPrompt>> {
    return this.#ask((connection, { listPrompts }) => listPrompts(connection, this.#settings))
  }

  /**
   * What a prompt says with these arguments. It is the server's text: show it to the person before it is sent.
   *
   * @throws {@link McpError} when the server cannot be used, or has no such prompt.
   */
  getPrompt(
    name: string,
    input: Readonly<Record<string, string>> = {},
    options: McpRequestOptions = {},
  ): Promise<PromptMessages> {
    return this.#ask((connection, { getPrompt }) =>
      getPrompt(connection, { name, input }, this.#settings, options),
    )
  }

  /** Ends the connection and its session; calls that run are stopped. `connect()` opens the client again. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#server?.close()
  }

  async #ask<T>(ask: (connection: McpConnection, lists: ServerLists) => Promise<T>): Promise<T> {
    const server = await this.#late()
    const { serverLists } = await lateServer()
    return server.use((connection) => ask(connection, serverLists))
  }

  #late(): MaybePromise<RemoteServer> {
    return this.#server ?? whenDone(lateServer(), ({ openServer }) => this.#open(openServer))
  }

  #open(openServer: LateServer['openServer']): RemoteServer {
    if (this.#server !== undefined) return this.#server
    const server = openServer(this.#settings, (state) => this.#tell(state))
    this.#server = server
    if (this.#closed) void server.close()
    return server
  }

  /** The part that works could not be fetched. */
  #broken(error: unknown): void {
    const reason = errorToData(error).message
    if (this.status.state === 'failed' && this.status.reason === reason) return
    this.#tell({ status: { state: 'failed', reason, retryAt: Date.now() }, tools: [], setAside: [] })
  }

  #tell(state: ServerState): void {
    this.#state = state
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        // The server is there all the same; the error still reaches the app's error handling.
        throwLater(error)
      }
    }
  }
}
