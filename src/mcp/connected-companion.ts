import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import type { MaybePromise } from '../tool/when-done.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from '../toolset/tool-source.ts'
import { MCPClient } from './mcp-client.ts'
import type { MCPClientOptions } from './mcp-options.ts'
import type { MCPStatus } from './mcp-status.ts'
import { memoryPinStore } from './pins/pin-store.ts'

/** What may be said about the connection to a server of a companion; its address and its token are known. */
export type CompanionServerOptions = Partial<
  Omit<MCPClientOptions, 'url' | 'headers' | 'auth' | 'allowInsecureHttp'>
>

/** A companion as a page knows it after pairing. */
export interface PairedCompanion {
  /** Its origin: `http://127.0.0.1:4000`. */
  readonly url: string
  readonly token: string
  /** The names of the MCP servers behind it. */
  readonly servers: readonly string[]
}

/**
 * A companion that a page is paired with: a source of the tools `companion_shell` and `companion_web_search`, origin
 * `mcp:companion`. An agent is better given `CLITool` and `SearchTool`, which are made with it: they show a person
 * exactly what would run.
 */
export class ConnectedCompanion implements ToolSource {
  /** Where it runs: `http://127.0.0.1:4000`. */
  readonly url: string
  /** The names of the MCP servers that it was started with. */
  readonly servers: readonly string[]
  readonly label: string
  readonly conflictHint: string
  readonly dynamic = true
  readonly reportsStart = true
  readonly #own: MCPClient
  readonly #bridged = new Map<string, MCPClient>()
  readonly #options: CompanionServerOptions
  readonly #headers: Readonly<Record<string, string>>

  constructor({ url, token, servers }: PairedCompanion, options: CompanionServerOptions) {
    this.url = url
    this.servers = servers
    this.#options = options
    this.#headers = { Authorization: `Bearer ${token}` }
    this.#own = this.#client('companion', {
      namespace: 'companion',
      // The person has started it and carried its link here: that is more than a pin could say.
      pinStore: memoryPinStore(),
    })
    this.label = this.#own.label
    this.conflictHint = this.#own.conflictHint
  }

  /** How it stands with the companion; another object whenever that changes. */
  get status(): MCPStatus {
    return this.#own.status
  }

  /**
   * Connects; does nothing when it is connected.
   *
   * @throws McpError that says why not.
   */
  connect(): Promise<void> {
    return this.#own.connect()
  }

  /**
   * An MCP server that the companion was started with, as a source of tools with the namespace and origin of its name.
   * The first call makes the client, with its options; later ones give the same client. Its process starts when it is
   * first used.
   *
   * @throws Error when the companion has no server of that name.
   */
  server(name: string, options: CompanionServerOptions = {}): MCPClient {
    const known = this.#bridged.get(name)
    if (known !== undefined) return known
    if (!this.servers.includes(name)) {
      const others = this.servers.length === 0 ? 'none' : this.servers.join(', ')
      throw new Error(
        `The companion has no MCP server "${name}"; it has: ${others}. Start it with --mcp ${name}="…" and pair again.`,
      )
    }
    const client = this.#client(name, { namespace: name, ...options })
    this.#bridged.set(name, client)
    return client
  }

  list(): Promise<readonly ListedTool[]> {
    return this.#own.list()
  }

  preflight(name: string, input: unknown, options?: SourceCallOptions): MaybePromise<Preflight> {
    return this.#own.preflight(name, input, options)
  }

  call(name: string, input: unknown, options?: SourceCallOptions): Promise<CallOutcome> {
    return this.#own.call(name, input, options)
  }

  notes(): readonly SourceNote[] {
    return this.#own.notes()
  }

  subscribe(listener: () => void): () => void {
    return this.#own.subscribe(listener)
  }

  /** Ends the connections to the companion and to its servers, whose processes end. */
  async close(): Promise<void> {
    await Promise.all([this.#own, ...this.#bridged.values()].map((client) => client.close()))
  }

  #client(path: string, options: CompanionServerOptions & { readonly namespace: string }): MCPClient {
    return new MCPClient({
      ...this.#options,
      ...options,
      url: `${this.url}/mcp/${path}`,
      headers: this.#headers,
    })
  }
}
