import type { SetAside } from '../../mcp/definitions/server-tool.ts'
import { pacedRefresh } from '../../mcp/paced-refresh.ts'
import { notAccepted, offeredAsShown } from '../../mcp/shown-tool.ts'
import type { CallOutcome, Preflight } from '../../tool/call-outcome.ts'
import { now } from '../../tool/clock.ts'
import { errorToData } from '../../tool/error-data.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import { throwLater } from '../../tool/throw-later.ts'
import { type MaybePromise, whenDone } from '../../tool/when-done.ts'
import type { ListedTool } from '../../toolset/listed-tool.ts'
import { localTools } from '../../toolset/local-tools.ts'
import type { SourceCallOptions, SourceNote, ToolSource } from '../../toolset/tool-source.ts'
import { noContext, pageContext, type WebMCPContext } from './model-context.ts'
import { listPage } from './page-list.ts'
import { PageOrigin } from './page-origin.ts'
import { readPageTools } from './page-tools.ts'
import type { WebMCPSettings } from './webmcp-options.ts'
import { areShown, type WebMCPTool } from './webmcp-tool.ts'

/** What was read last. */
interface Loaded {
  /** Frozen; the same list as long as nothing changed. */
  readonly tools: readonly WebMCPTool[]
  readonly setAside: readonly SetAside[]
  /** Why there are none, or not all. */
  readonly failure?: string
}

const nothing: Loaded = Object.freeze({ tools: Object.freeze([]), setAside: Object.freeze([]) })

/** The WebMCP tools of a page and of its frames, as a source: what {@link fromWebMCP} gives. */
export class WebMCPToolset implements ToolSource {
  readonly label = 'webmcp'
  /** A page may offer other tools at any time. */
  readonly dynamic = true
  readonly reportsStart = true
  readonly #settings: WebMCPSettings
  readonly #origins = new Map<string, PageOrigin>()
  readonly #listeners = new Set<() => void>()
  readonly #refresh = pacedRefresh(() => this.#readAgain())
  readonly #source: ToolSource
  readonly #toolchange = () => this.#refresh.request()
  #loaded = nothing
  #retryAt = 0
  #followed: WebMCPContext | undefined
  #closed = false

  /** @internal */
  constructor(settings: WebMCPSettings) {
    this.#settings = settings
    this.#source = localTools(
      (name) => this.#loaded.tools.find((tool) => tool.name === name),
      () => this.#loaded.tools,
    )
  }

  /** The tools that were read last, without waiting. */
  get tools(): readonly WebMCPTool[] {
    return this.#loaded.tools
  }

  /** What the page offers that cannot be used, and why. */
  get setAside(): readonly SetAside[] {
    return this.#loaded.setAside
  }

  /** Never rejects: a page that has no WebMCP offers nothing, and `notes()` says why. */
  async list(): Promise<readonly ListedTool[]> {
    await this.#ready()
    return this.#source.list()
  }

  preflight(name: string, input: unknown, options: SourceCallOptions = {}): MaybePromise<Preflight> {
    return whenDone(this.#ready(), () => this.#source.preflight(name, input, options))
  }

  async call(name: string, input: unknown, options: SourceCallOptions = {}): Promise<CallOutcome> {
    await this.#ready()
    return this.#source.call(name, input, options)
  }

  /**
   * Keeps, with the pins, that a person has read these tools (names, descriptions, parameters) and accepts them: their
   * words taint no run any more. It holds until one changes, and is no yes to any call.
   *
   * @param shown - What the person was shown: tools of {@link tools}, as they were then.
   * @throws ToolError (`fingerprint-mismatch`) that names those that are not the same any more: then none of their
   * origin is accepted. {@link ToolRegistrationError} for what is no list of tools.
   */
  async acceptTools(shown: readonly WebMCPTool[]): Promise<void> {
    if (!areShown(shown)) {
      throw new ToolRegistrationError(
        `${this.label}, acceptTools(): expected the tools that the person was shown, as the source's tools had them then.`,
      )
    }
    await this.#refresh.now()
    for (const origin of new Set(shown.map(({ pageOrigin }) => pageOrigin))) {
      const ofOrigin = shown.filter(({ pageOrigin }) => pageOrigin === origin)
      const offered = this.#loaded.tools.filter(({ pageOrigin }) => pageOrigin === origin)
      const found = offeredAsShown(
        ofOrigin,
        offered.map((tool) => tool['~serverTool']),
        `webmcp:${origin}`,
      )
      const others = (await this.#origins.get(origin)?.accept(found)) ?? []
      if (others.length > 0) {
        const names = others.map((originalName) => ({ originalName }))
        throw notAccepted(
          `webmcp:${origin}`,
          names,
          'are not what is pinned. Call them: then the person sees the change',
        )
      }
    }
  }

  notes(): readonly SourceNote[] {
    const { setAside, failure } = this.#loaded
    const notes = setAside.map(
      ({ names, reason }): SourceNote => ({ kind: 'dropped', tool: names.join(', '), reason }),
    )
    return failure === undefined
      ? notes
      : [...notes, { kind: 'failed', source: this.label, message: failure }]
  }

  /** Calls the listener when `tools` or `setAside` changed; returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows the page no longer, and offers nothing any more. */
  async close(): Promise<void> {
    this.#closed = true
    this.#followed?.removeEventListener?.('toolchange', this.#toolchange)
    this.#refresh.forget()
    this.#loaded = { ...nothing, failure: this.#settings.texts.closedByApp }
    this.#tell()
    this.#listeners.clear()
  }

  async #ready(): Promise<void> {
    if (this.#closed) return
    // A context may come late, or in place of another, with a polyfill; nobody tells when what failed is mended.
    const isOther = this.#followed === undefined || this.#followed !== this.#context()
    const isFailed = this.#loaded.failure !== undefined && now() >= this.#retryAt
    if (isOther || isFailed || this.#refresh.due) await this.#refresh.now()
  }

  async #readAgain(): Promise<boolean> {
    const start = now()
    const loaded = await this.#read()
    // A page that hangs is asked again after as long as it took.
    this.#retryAt = 2 * now() - start
    if (this.#closed || isSame(loaded, this.#loaded)) return false
    this.#loaded = loaded
    this.#tell()
    return true
  }

  async #read(): Promise<Loaded> {
    const context = this.#context()
    if (context?.getTools === undefined || context.executeTool === undefined) {
      const failure =
        context === undefined
          ? noContext
          : 'This WebMCP has no getTools and executeTool: only agents of the browser see the tools.'
      return { ...nothing, failure }
    }
    this.#follow(context)
    try {
      const { registered, withoutFrames } = await listPage(context, this.#settings)
      const origins = this.#wantedOrigins()
      const read = await readPageTools(registered, origins, this.#settings)
      const made = await Promise.all(
        read.map(async ({ origin, tools, setAside }) => {
          const own = this.#originOf(origin, context)
          const { tools: usable, unusable } = await own.take(tools)
          return { tools: usable, setAside: [...setAside, ...unusable] }
        }),
      )
      return Object.freeze({
        tools: Object.freeze(made.flatMap(({ tools }) => tools)),
        setAside: Object.freeze(made.flatMap(({ setAside }) => setAside)),
        ...(withoutFrames === undefined ? {} : { failure: withoutFrames }),
      })
    } catch (error) {
      return { ...nothing, failure: `The page's tools could not be read: ${errorToData(error).message}` }
    }
  }

  #context(): WebMCPContext | undefined {
    return this.#settings.context ?? pageContext()
  }

  #tell(): void {
    for (const listener of this.#listeners) {
      try {
        listener()
      } catch (error) {
        // A listener of the app must not keep the tools from being read.
        throwLater(error)
      }
    }
  }

  #follow(context: WebMCPContext): void {
    if (this.#followed === context || this.#closed) return
    this.#followed?.removeEventListener?.('toolchange', this.#toolchange)
    this.#followed = context
    this.#origins.clear() // Their calls would go to the one before.
    context.addEventListener?.('toolchange', this.#toolchange)
  }

  #wantedOrigins(): readonly string[] {
    const { origin } = globalThis
    return [...new Set([...(URL.canParse(origin) ? [origin] : []), ...this.#settings.origins])]
  }

  #originOf(origin: string, context: WebMCPContext): PageOrigin {
    const known = this.#origins.get(origin)
    if (known !== undefined) return known
    const registered = async () =>
      (await listPage(context, this.#settings)).registered.filter((tool) => tool.origin === origin)
    const made = new PageOrigin(origin, context, registered, this.#settings, () => this.#tell())
    this.#origins.set(origin, made)
    return made
  }
}

function isSame(one: Loaded, other: Loaded): boolean {
  const known = (loaded: Loaded) => [loaded.setAside, loaded.failure]
  return (
    one.tools.length === other.tools.length &&
    one.tools.every((tool, index) => tool === other.tools[index]) &&
    JSON.stringify(known(one)) === JSON.stringify(known(other))
  )
}
