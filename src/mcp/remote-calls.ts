import type { CallOutcome } from '../tool/call-outcome.ts'
import { now } from '../tool/clock.ts'
import { ToolFailed } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { randomId } from '../tool/random-id.ts'
import type { RunContext } from '../tool/run-context.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import { type McpConnection, McpError } from './connection/mcp-connection.ts'
import { mayRunTwice } from './definitions/labels-for.ts'
import type { ServerTool } from './definitions/server-tool.ts'
import { isMcpError } from './is-mcp-error.ts'
import type { ClientSettings } from './mcp-options.ts'
import { textsOf } from './mcp-texts.ts'
import type { ToolRunner } from './pinned-tool.ts'
import type { PinState } from './pins/check-pins.ts'
import { readCallResult } from './results/read-call-result.ts'
import type { ToolPins } from './tool-pins.ts'

/** The executor ends a call at its deadline; the connection's own timer stands behind it by so much, in milliseconds. */
const behindDeadlineMs = 1_000

/** What calls need of the server that they go to. */
export interface CallOwner {
  use<T>(run: (connection: McpConnection) => Promise<T>): Promise<T>
  /**
   * Whether the server still offers exactly this, as far as it has said.
   *
   * @throws McpError when it cannot be asked.
   */
  isCurrent(tool: ServerTool): Promise<boolean>
  readonly pins: ToolPins
}

/** What is known of one call while it runs. */
interface Followed {
  readonly options: SourceCallOptions
  /** Whether `onStart` was called. */
  started: boolean
  /** Whether the server may have it by now. */
  isOut: boolean
  /** Whether the failure of the connection leaves open if the server has run it. */
  mayHaveRun: boolean
}

/** Runs the calls of a server's tools over its connection. */
export class RemoteCalls implements ToolRunner {
  readonly #settings: ClientSettings
  readonly #owner: CallOwner
  readonly #followed = new Map<string, Followed>()

  constructor(settings: ClientSettings, owner: CallOwner) {
    this.#settings = settings
    this.#owner = owner
  }

  /**
   * Follows a call of the client's own source. It may wait for one of the few connections to an origin: it has started
   * once it goes out, and from then on its deadline counts.
   */
  async follow(
    options: SourceCallOptions,
    call: (options: SourceCallOptions) => Promise<CallOutcome>,
  ): Promise<CallOutcome> {
    const callId = options.callId ?? randomId('call')
    const followed: Followed = { options, started: false, isOut: false, mayHaveRun: false }
    this.#followed.set(callId, followed)
    try {
      const { onStart: _later, ...rest } = options
      return asFollowed(await call({ ...rest, callId }), followed)
    } finally {
      this.#followed.delete(callId)
    }
  }

  async check(tool: ServerTool, context: RunContext): Promise<void> {
    await this.#checkCurrent(tool)
    await this.#owner.pins.check(tool, context)
  }

  pinOf(tool: ServerTool): PinState | undefined {
    return this.#owner.pins.stateOf(tool)
  }

  async run(tool: ServerTool, input: JsonObject, context: RunContext): Promise<ToolResponse> {
    await this.#checkBefore(tool, context)
    context.signal.throwIfAborted()
    const followed = this.#followed.get(context.callId)
    const { maxResultChars } = this.#settings
    const idempotent = mayRunTwice(tool.annotations)
    try {
      const raw = await this.#owner.use((connection) => {
        if (!connection.reportsStart) begin(followed)
        return connection.callTool(tool.originalName, input, {
          signal: context.signal,
          timeoutMs: this.#timeoutMs(followed),
          idempotent,
          onStart: () => begin(followed),
          recheck: () => {
            // The server has refused it.
            if (followed !== undefined && !idempotent) followed.isOut = false
            return this.#checkCurrent(tool)
          },
          onProgress: (progress) => context.progress(progress),
        })
      })
      return readCallResult(raw, {
        toolName: context.toolName,
        outputSchema: tool.outputSchema,
        maxResultChars,
        texts: textsOf(this.#settings),
      })
    } catch (error) {
      if (followed !== undefined) followed.mayHaveRun = followed.isOut && leavesOpen(error)
      throw error
    }
  }

  /** @throws what keeps a tool from being called; in bounded time, as the deadline of the call does not count yet. */
  async #checkBefore(tool: ServerTool, context: RunContext): Promise<void> {
    const check = async () => {
      await this.#checkCurrent(tool)
      await this.#owner.pins.use(tool, context)
      // Looking at the pins takes a while, in which the server may have changed.
      await this.#checkCurrent(tool)
      return true
    }
    const { timeoutMs, namespace } = this.#settings
    if (await within(check(), timeoutMs, false)) return
    throw new McpError(
      `mcp:${namespace} was not called: what it offers now, or what is pinned of it (pinStore), could not be read ` +
        `within ${timeoutMs} ms.`,
      { code: 'timeout', mayHaveRun: false },
    )
  }

  #timeoutMs(followed: Followed | undefined): number {
    const { definition } = followed?.options ?? {}
    if (definition === undefined) return this.#settings.timeoutMs
    return (definition.timeoutMs ?? this.#settings.timeoutMs) + behindDeadlineMs
  }

  // A yes was given to what the tool was; what it is by now may be something else.
  async #checkCurrent(tool: ServerTool): Promise<void> {
    if (await this.#owner.isCurrent(tool)) return
    throw new ToolFailed(textsOf(this.#settings).toolReplaced(tool.originalName))
  }
}

function begin(followed: Followed | undefined): void {
  if (followed === undefined) return
  followed.isOut = true
  if (followed.started) return
  followed.started = true
  followed.options.onStart?.({ at: now() })
}

/** Whether a failure of the connection says nothing about whether the server has run the call. */
function leavesOpen(error: unknown): boolean {
  // An answer, if only a refusal: nothing is open.
  return isMcpError(error) && error.mayHaveRun && error.code !== 'server'
}

/** An outcome with what is known of the way of the call. */
function asFollowed(outcome: CallOutcome, { isOut, mayHaveRun }: Followed): CallOutcome {
  if (outcome.kind === 'stopped' && !isOut) return { kind: 'stopped', mayHaveRun: false }
  return outcome.kind === 'crash' && mayHaveRun ? { ...outcome, mayHaveRun } : outcome
}
