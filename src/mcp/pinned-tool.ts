import type { JsonObject } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { Tool } from '../tool/tool.ts'
import { stampAcceptance, stampOrigin, type ToolOrigin } from '../tool/tool-origin.ts'
import { boundedSchema } from './definitions/bounded-schema.ts'
import { labelsFor } from './definitions/labels-for.ts'
import type { ServerTool, ToolAnnotations } from './definitions/server-tool.ts'
import type { ToolFlag } from './definitions/tool-flag.ts'
import type { MCPCall } from './mcp-options.ts'
import type { PinState } from './pins/check-pins.ts'

/** What runs the tools of somebody else. */
export interface ToolRunner {
  /**
   * Looks at a call before it runs.
   *
   * @throws ApprovalRequired when the tool's definition was changed and no person has said yes to that.
   */
  check(tool: ServerTool, context: RunContext): Promise<void>
  /** How the tool's definition compares with the one that was trusted first. */
  pinOf(tool: ServerTool): PinState | undefined
  /** Has its owner run a call; gives a response. */
  run(tool: ServerTool, input: JsonObject, context: RunContext): Promise<unknown>
}

/** What all tools of one owner share. */
export interface PinnedToolSettings {
  readonly origin: ToolOrigin
  /** Part of what a grant is bound to: a yes to one owner's tool is none to another's of the same name and words. */
  readonly metadata: JsonObject
  readonly needsApproval: boolean | ((call: MCPCall, context: RunContext) => boolean | Promise<boolean>)
  readonly timeoutMs: number
  /** Whether the app itself has said which definitions it expects. */
  readonly isExpected: boolean
}

/** A tool of somebody else, whose definition is pinned: its calls run there, under the name that its owner gave it. */
export class PinnedTool extends Tool<JsonObject> {
  /** The name that its owner gave it. */
  readonly originalName: string
  /** For a person, in its owner's words. */
  readonly title?: string
  /** What its owner says of the tool's behaviour. Nobody checks it: for showing only. */
  readonly annotations: ToolAnnotations
  /** What a person should know before trusting the tool. */
  readonly flags: readonly ToolFlag[]
  /** SHA-256 of the definition as its owner gave it; what `expectedFingerprints` holds. */
  readonly serverFingerprint: string
  readonly #tool: ServerTool
  readonly #isExpected: boolean
  readonly #runner: ToolRunner

  constructor(tool: ServerTool, settings: PinnedToolSettings, runner: ToolRunner) {
    const { needsApproval, origin, timeoutMs, metadata, isExpected } = settings
    const { originalName, title, annotations, flags, fingerprint } = tool
    super({
      name: tool.name,
      description: tool.description,
      inputSchema: boundedSchema(tool.inputSchema),
      // It runs elsewhere, and no call waits for another on this side. What must not run twice at once there is its
      // owner's to guard, who may have other callers too.
      parallelSafe: true,
      needsApproval:
        typeof needsApproval === 'function'
          ? (input, context) => needsApproval({ tool: originalName, input }, context)
          : needsApproval,
      check: (_input, context) => runner.check(tool, context),
      timeoutMs,
      ...labelsFor(annotations),
      version: fingerprint,
      metadata,
    })
    stampOrigin(this, origin)
    stampAcceptance(this, () => this.isAccepted)
    this.#tool = tool
    this.#isExpected = isExpected
    this.#runner = runner
    this.originalName = originalName
    this.annotations = annotations
    this.flags = flags
    this.serverFingerprint = fingerprint
    if (title !== undefined) this.title = title
  }

  /**
   * How the tool's definition compares with the one that was trusted first: that of the first list which held it. A tool
   * is `new` to the source that read that list, whether it is called or not. A tool that has `drifted` asks a person
   * before each call, with the difference, until one of them was allowed.
   */
  get pin(): PinState | undefined {
    return this.#runner.pinOf(this.#tool)
  }

  /**
   * Whether its words are trusted as they are now: the app expects them (`expectedFingerprints`), or a person has
   * accepted them with `acceptTools()` or with a yes to their change. A run that offers any other tool has read
   * untrusted text from its first request on. That a tool was pinned on its first use says only that it is still what
   * nobody has looked at.
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
