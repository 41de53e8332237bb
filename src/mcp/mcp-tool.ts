import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { Tool } from '../tool/tool.ts'
import { stampAcceptance, stampOrigin } from '../tool/tool-origin.ts'
import { boundedSchema } from './definitions/bounded-schema.ts'
import { labelsFor } from './definitions/labels-for.ts'
import type { ServerTool, ToolAnnotations } from './definitions/server-tool.ts'
import type { ToolFlag } from './definitions/tool-flag.ts'
import type { ClientSettings } from './mcp-options.ts'
import type { PinState } from './pins/check-pins.ts'
import { pinnedServer } from './pins/server-pins.ts'

/** What runs the tools of a server. */
export interface ToolRunner {
  /**
   * Looks at a call before it runs.
   *
   * @throws ApprovalRequired when the tool's definition was changed and no person has said yes to that.
   */
  check(tool: ServerTool, context: RunContext): Promise<void>
  /** How the tool's definition compares with the one that was trusted first. */
  pinOf(tool: ServerTool): PinState | undefined
  /** Has the server run a call; gives a response. */
  run(tool: ServerTool, input: JsonObject, context: RunContext): Promise<unknown>
}

/** A tool of an MCP server: its calls run there, under the name that the server gave it. */
export class MCPTool extends Tool<JsonObject> {
  /** The name at the server. */
  readonly originalName: string
  /** For a person, in the server's words. */
  readonly title?: string
  /** What the server says of the tool's behaviour. Nobody checks it: for showing only. */
  readonly annotations: ToolAnnotations
  /** What a person should know before trusting the tool. */
  readonly flags: readonly ToolFlag[]
  /** SHA-256 of the definition as the server sent it; what `expectedFingerprints` holds. */
  readonly serverFingerprint: string
  readonly #tool: ServerTool
  readonly #isExpected: boolean
  readonly #runner: ToolRunner

  constructor(tool: ServerTool, settings: ClientSettings, runner: ToolRunner) {
    const { needsApproval, namespace, timeoutMs, url } = settings
    const { originalName, title, annotations, flags, fingerprint } = tool
    super({
      name: tool.name,
      description: tool.description,
      inputSchema: boundedSchema(tool.inputSchema),
      // The server is a process of its own, and no call waits for another on this side. What must not run twice at
      // once there is the server's to guard: it has other clients too.
      parallelSafe: true,
      needsApproval:
        typeof needsApproval === 'function'
          ? (input, context) => needsApproval({ tool: originalName, input }, context)
          : needsApproval,
      check: (_input, context) => runner.check(tool, context),
      timeoutMs,
      ...labelsFor(annotations),
      version: fingerprint,
      // Part of what a grant is bound to: a yes to one server's tool is none to another's of the same name and words.
      metadata: { mcp: defined({ server: pinnedServer(namespace, url).url, name: originalName, title }) },
    })
    stampOrigin(this, `mcp:${namespace}`)
    stampAcceptance(this, () => this.isAccepted)
    this.#tool = tool
    // A list that is not the expected one was refused when it was read.
    this.#isExpected = settings.expectedFingerprints !== undefined
    this.#runner = runner
    this.originalName = originalName
    this.annotations = annotations
    this.flags = flags
    this.serverFingerprint = fingerprint
    if (title !== undefined) this.title = title
  }

  /**
   * How the tool's definition compares with the one that was trusted first: that of the first list which held it. A tool
   * is `new` to the client that read that list, whether it is called or not. A tool that has `drifted` asks a person
   * before each call, with the difference, until one of them was allowed.
   */
  get pin(): PinState | undefined {
    return this.#runner.pinOf(this.#tool)
  }

  /**
   * Whether its words are trusted as they are now: `expectedFingerprints` has it, or a person has accepted it with
   * `client.acceptTools()` or with a yes to its change. A run that offers any other tool has read untrusted text from
   * its first request on. That a tool was pinned on its first use says only that it is still what nobody has looked at.
   */
  get isAccepted(): boolean {
    const { pin } = this
    return this.#isExpected || (pin?.state === 'pinned' && pin.trust === 'person')
  }

  /** @internal */
  get '~serverTool'(): ServerTool {
    return this.#tool
  }

  override execute(input: JsonObject, context: RunContext): Promise<unknown> {
    return this.#runner.run(this.#tool, input, context)
  }
}
