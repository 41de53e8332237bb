import { stopOf, stopped, untilAborted } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { localTools } from '../toolset/local-tools.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from '../toolset/tool-source.ts'
import type { McpConnection } from './connection/mcp-connection.ts'
import type { ServerTool, SetAside } from './definitions/server-tool.ts'
import { isMcpError } from './is-mcp-error.ts'
import type { ClientSettings } from './mcp-options.ts'
import type { MCPStatus } from './mcp-status.ts'
import { type MCPTexts, textsOf } from './mcp-texts.ts'
import type { MCPTool } from './mcp-tool.ts'
import { pacedRefresh } from './paced-refresh.ts'
import { RemoteCalls } from './remote-calls.ts'
import { type OpenConnection, ServerLink } from './server-link.ts'
import { notAccepted, offeredAsShown, type ShownTool } from './shown-tool.ts'
import { type LoadedTools, noTools, ToolLoader } from './tool-loader.ts'
import { ToolPins } from './tool-pins.ts'

/** A list waits for a server that is still being connected no longer than this: others wait for it. In milliseconds. */
const listWaitMs = 5_000

/** The part of the time for connecting that reading the tools may take. */
const shareOfList = 0.8

/** What an app can know of a server without waiting. */
export interface ServerState {
  readonly status: MCPStatus
  readonly tools: readonly MCPTool[]
  readonly setAside: readonly SetAside[]
}

/** All of a client that works: fetched when something is first asked of it. */
export class RemoteServer {
  readonly label: string
  readonly #settings: ClientSettings
  readonly #texts: MCPTexts
  readonly #publish: (state: ServerState) => void
  readonly #link: ServerLink
  readonly #pins: ToolPins
  readonly #loader: ToolLoader
  readonly #calls: RemoteCalls
  readonly #source: ToolSource
  readonly #refresh = pacedRefresh(() => this.#readAgain())
  #loaded: LoadedTools = noTools
  #closed = false

  constructor(settings: ClientSettings, open: OpenConnection, publish: (state: ServerState) => void) {
    this.label = `mcp:${settings.namespace}`
    this.#settings = settings
    this.#texts = textsOf(settings)
    this.#publish = publish
    this.#link = this.#makeLink(open)
    this.#pins = new ToolPins(settings, () => this.#tell())
    this.#calls = new RemoteCalls(settings, {
      use: (run) => this.#link.use(run),
      isCurrent: (tool) => this.#isCurrent(tool),
      pins: this.#pins,
    })
    this.#loader = new ToolLoader(settings, this.#calls, this.#pins)
    this.#source = localTools(
      (name) => this.#loaded.byName.get(name),
      () => this.#loaded.tools,
    )
  }

  async connect(): Promise<void> {
    this.#closed = false
    await this.#link.connect()
  }

  /** There is a token by now: whoever waited for one is served again. */
  reconnect(): void {
    if (!this.#closed && this.#link.status.state === 'needs-authorization') {
      // Why it does not work is in the status.
      this.#link.connect().catch(() => {})
    }
  }

  async list(): Promise<readonly ListedTool[]> {
    await this.#ready()
    return this.#source.list()
  }

  async preflight(name: string, input: unknown, options: SourceCallOptions): Promise<Preflight> {
    if (!(await this.#readyFor(name, options))) return this.#gone(name)
    return this.#source.preflight(name, input, options)
  }

  async call(name: string, input: unknown, options: SourceCallOptions): Promise<CallOutcome> {
    if (!(await this.#readyFor(name, options))) {
      return stopOf(options)?.aborted ? { kind: 'stopped', mayHaveRun: false } : this.#gone(name)
    }
    return this.#calls.follow(options, (followed) => this.#source.call(name, input, followed))
  }

  /** Reads the tools anew, whether or not the server has said that they changed; connects when it is not connected. */
  async refresh(): Promise<void> {
    if (this.#link.status.state === 'ready') await this.#refresh.now()
    else await this.connect()
  }

  /** Keeps that a person has accepted tools, if they are what the person was shown. */
  async acceptTools(shown: readonly ShownTool[]): Promise<void> {
    await this.connect()
    // What the server has announced may be a change of these.
    if (this.#refresh.due) await this.#refresh.now()
    const offered = this.#loaded.tools.map(({ '~serverTool': tool }) => tool)
    const others = await this.#pins.accept(offeredAsShown(shown, offered, this.label))
    if (others.length === 0) return
    const what =
      'are not what is pinned. Call them: then the person sees what they were and are, and says yes to that'
    throw notAccepted(
      this.label,
      others.map((originalName) => ({ originalName })),
      what,
    )
  }

  /** Why it is not kept which tools are trusted, for a person. */
  get pinNote(): string | undefined {
    return this.#pins.note
  }

  /** Uses the connection, which is made if it is not there. */
  async use<T>(run: (connection: McpConnection) => Promise<T>): Promise<T> {
    await this.connect()
    return this.#link.use(run)
  }

  notes(): readonly SourceNote[] {
    const failed = (message: string): SourceNote => ({ kind: 'failed', source: this.label, message })
    const { status } = this.#link
    const notes = this.#loaded.setAside.map(
      ({ names, reason }): SourceNote => ({ kind: 'dropped', tool: names.join(', '), reason }),
    )
    const { incomplete } = this.#loaded
    if (incomplete !== undefined) {
      notes.push({ kind: 'dropped', tool: this.#texts.furtherTools(this.label), reason: incomplete })
    }
    const why = this.#closed ? this.#texts.closedByApp : unready(status, this.#texts)
    return why === undefined ? notes : [...notes, failed(why)]
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#link.close()
  }

  #makeLink(open: OpenConnection): ServerLink {
    const { timeoutMs, elicit } = this.#settings
    return new ServerLink({
      open,
      timeoutMs,
      label: this.label,
      ...(elicit && { elicit: (request) => elicit({ ...request, origin: this.label }) }),
      load: async (connection, signal, leftMs) => {
        // What was read of a list in time is of use, if there is still time to look at it.
        const loaded = await this.#loader.load(connection, {
          signal,
          timeoutMs: Math.ceil(leftMs * shareOfList),
        })
        return () => {
          this.#loaded = loaded
        }
      },
      toolsChanged: () => this.#refresh.request(),
      statusChanged: ({ state }) => {
        if (state !== 'ready') {
          this.#loaded = noTools
          this.#refresh.forget()
        }
        this.#tell()
      },
    })
  }

  async #ready(): Promise<void> {
    if (this.#closed) return
    // Connecting ends by itself before that: then the reason is known.
    const endsFirst = this.#settings.timeoutMs <= listWaitMs
    await this.#link.ready(endsFirst ? Number.POSITIVE_INFINITY : listWaitMs)
  }

  /** Whether a tool of the name is there to be called. */
  async #readyFor(name: string, options: SourceCallOptions): Promise<boolean> {
    const stop = stopOf(options)
    const ready = this.#ready()
    const waited = stop === undefined ? await ready : await untilAborted(ready, stop)
    return waited !== stopped && this.#loaded.byName.has(name)
  }

  #gone(name: string): { readonly kind: 'failed'; readonly message: string } {
    const why = this.#closed ? this.#texts.closed : unready(this.#link.status, this.#texts)
    return { kind: 'failed', message: this.#texts.toolMissing(name, why) }
  }

  /** Reads the tools anew; resolves to whether there are other ones now. */
  async #readAgain(): Promise<boolean> {
    const loaded = await this.#link.use(async (connection) => {
      const read = await this.#loader.load(connection).catch((error: unknown) => {
        // Not a matter of the connection: what the server offers now must not be used.
        if (!isMcpError(error) && this.#link.isCurrent(connection)) this.#link.lose(error)
        throw error
      })
      return this.#link.isCurrent(connection) ? read : undefined
    })
    if (loaded === undefined || loaded.identity === this.#loaded.identity) return false
    this.#loaded = loaded
    this.#tell()
    return true
  }

  async #isCurrent({ originalName, fingerprint }: ServerTool): Promise<boolean> {
    await this.#ready()
    if (this.#refresh.due) await this.#refresh.now()
    const isThere = this.#loaded.tools.some(
      (tool) => tool.originalName === originalName && tool.serverFingerprint === fingerprint,
    )
    // With the reason, when all of its tools are gone with the server.
    if (!isThere) await this.#link.use(async () => {})
    return isThere
  }

  #tell(): void {
    const { tools, setAside } = this.#loaded
    this.#publish(Object.freeze({ status: this.#link.status, tools, setAside }))
  }
}

/** Why a server offers nothing now; undefined when it does. */
function unready(status: MCPStatus, texts: MCPTexts): string | undefined {
  switch (status.state) {
    case 'ready':
      return undefined
    case 'idle':
      return texts.notConnected
    case 'connecting':
      return texts.stillConnecting
    default:
      return status.reason
  }
}
