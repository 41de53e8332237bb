import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { StepContext } from '../tool/step-context.ts'
import { throwLater } from '../tool/throw-later.ts'
import type { CallRequest, ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import { checkListed } from '../toolset/check-listed.ts'
import { gather } from '../toolset/gather.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { closeMade, sourceForRun, sourceForStep } from '../toolset/source-instance.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import { isToolSource, type ToolSource } from '../toolset/tool-source.ts'
import type { ApprovalRequest } from './approval.ts'
import { approvalRequest } from './approval-request.ts'
import type { GrantDuration } from './decision.ts'
import type { ExecuteOptions, StepOptions } from './execute-options.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { checkExecutorOptions, type ToolExecutorOptions } from './executor-options.ts'
import type { gate as Gate } from './gate.ts'
import type { GatedCall } from './run-batch.ts'
import { checkDenied, openRunTools, type RunTools, type StepTools } from './run-tools.ts'
import type { StepCall } from './step-call.ts'
import { visibleTools } from './visible-tools.ts'

/** What calls pass on their way: it is fetched for the first run, and not at start. */
export const theGate: () => typeof Gate | Promise<typeof Gate> = latePart(async () => {
  const { gate } = await import('./gate.ts')
  return gate
})

/**
 * Runs calls through the gate, in one fixed order: find, permit, before, preflight, policy, approve,
 * execute, record. Whatever happens, each call gets exactly one result, and nothing but a mistake of the
 * developer (two tools of one name, a source that cannot be listed) rejects, or a gate that cannot be loaded: it is
 * fetched with import() for the first call.
 */
export class ToolExecutor {
  readonly #options: ToolExecutorOptions
  readonly #source: ToolSource
  readonly #texts: ModelTexts
  readonly #ownRules: readonly ToolPermissions[]
  /** Stands for no signal. Middleware gets one of its own each time: it may listen and never stop. */
  readonly #never = new AbortController().signal

  constructor(options: ToolExecutorOptions<never>) {
    checkExecutorOptions(options, 'new ToolExecutor()')
    this.#options = options as ToolExecutorOptions
    this.#source = isToolSource(options.tools) ? options.tools : gather(options.tools, 'new ToolExecutor()')
    this.#texts = { ...modelTextsEn, ...options.texts }
    this.#ownRules = this.#rules(undefined)
  }

  /** The tools that calls may name now, permitted ones only. */
  async list(permissions?: ToolPermissions): Promise<readonly ListedTool[]> {
    return this.#inStep({ permissions }, async (tools) =>
      visibleTools(this.#scope(0, { permissions }, tools)),
    )
  }

  /** Runs one call. */
  async execute(request: CallRequest, options: ExecuteOptions = {}): Promise<ToolResult> {
    const [result] = await this.executeStep([request], options)
    return result as ToolResult
  }

  /**
   * Runs the calls of one step: parallel-safe ones together, the others alone, results in call order. A result
   * with the outcome `deferred` is of a call that waits for an answer.
   */
  async executeStep(
    requests: readonly CallRequest[],
    options: StepOptions = {},
  ): Promise<readonly ToolResult[]> {
    const calls = requests.map((request) => ({ request }))
    return this.runStep(calls, options)
  }

  /**
   * The same for calls of which some were opened before; for the agent.
   *
   * @internal
   */
  runStep(calls: readonly StepCall[], options: StepOptions): MaybePromise<readonly ToolResult[]> {
    const { maxCallsPerStep = 32, failFast = false } = this.#options
    const limits = { maxCallsPerStep, failFast, cutOff: options.cutOff }
    const run = ({ runBatch }: typeof Gate) =>
      this.#inStep(options, (tools) => runBatch(calls, this.#scope(calls.length, options, tools), limits))
    return whenDone(theGate(), run)
  }

  /**
   * Takes one call to the gates while its message is still written, and starts it when it changes nothing and nobody
   * has to be asked; for the agent, which gives what it gets to {@link runStep} with the other calls of the message.
   *
   * @internal
   */
  startCall(call: StepCall, options: StepOptions): MaybePromise<GatedCall> {
    // As one of several: all of them are checked before any runs.
    return whenDone(theGate(), ({ startAhead }) =>
      this.#inStep(options, (tools) => startAhead(call, this.#scope(2, options, tools))),
    )
  }

  /**
   * Opens the tools of one run, for the agent.
   *
   * @internal
   */
  openRun(context: StepContext): Promise<RunTools> {
    const { permissions } = this.#options
    const rules = {
      permissions: permissions === undefined ? [] : [permissions],
      texts: this.#texts,
      alwaysPermitted: this.#options.alwaysPermitted,
    }
    return openRunTools(this.#source, context, rules)
  }

  /**
   * The question of a paused run as a `confirm` handler takes it; an input that the person changes is looked at where
   * its tool is now.
   *
   * @internal
   */
  approvalRequest(
    pending: PendingCall,
    { signal = this.#never, deps }: Pick<ExecuteOptions, 'signal' | 'deps'>,
  ): ApprovalRequest {
    const mayRemember: readonly GrantDuration[] =
      this.#options.grants === undefined ? [] : ['session', 'always']
    const check = async (input: JsonObject) => {
      const { issuesOf } = await theGate()
      return this.#inStep({ deps }, (tools) =>
        issuesOf(pending, input, this.#scope(1, { signal, deps }, tools)),
      )
    }
    return approvalRequest(pending, { mayRemember, check, signal })
  }

  /** Releases what the sources hold. */
  async close(): Promise<void> {
    await this.#source.close?.()
  }

  /** Uses the tools as one step has them: the agent's, or those of a source that is opened for this alone. */
  #inStep<T>(options: StepOptions, use: (tools: CallableTools) => MaybePromise<T>): MaybePromise<T> {
    return options.tools === undefined ? this.#inOwnStep(options, use) : use(options.tools)
  }

  async #inOwnStep<T>(
    { deps, runId, step, permissions }: StepOptions,
    use: (tools: CallableTools) => MaybePromise<T>,
  ): Promise<T> {
    checkPermissions(permissions, 'execute()')
    const context: StepContext = { deps, ...defined({ runId, step }) }
    const ofRun = await sourceForRun(this.#source, context)
    try {
      const source = await sourceForStep(ofRun, context)
      try {
        return await use({ source, tools: await listTools(source, this.#rules(permissions)) })
      } finally {
        await closeMade(source, ofRun)
      }
    } finally {
      await closeMade(ofRun, this.#source)
    }
  }

  #rules(further: ToolPermissions | undefined): readonly ToolPermissions[] {
    return [this.#options.permissions, further].filter((each) => each !== undefined)
  }

  #scope(
    callCount: number,
    options: StepOptions,
    { source, tools, heldBack }: CallableTools,
  ): ExecutionScope {
    const { middleware = [], timeoutMs = 60_000, maxRetries = 1 } = this.#options
    const { confirm, grants, onEvent } = this.#options
    const { signal = middleware.length > 0 ? new AbortController().signal : this.#never } = options
    const { deps, runId, step, budget, journal } = options
    // Made for each step: member by member it takes a tenth of the memory that spread groups do.
    const scope: Writable<ExecutionScope> = {
      source,
      tools,
      heldBack,
      permissions: options.permissions === undefined ? this.#ownRules : this.#rules(options.permissions),
      confirm: 'confirm' in options ? options.confirm : confirm,
      grants,
      middleware,
      timeoutMs,
      maxRetries,
      budget,
      journal,
      signal,
      deps,
      runId,
      step,
      texts: this.#texts,
      alwaysPermitted: this.#options.alwaysPermitted,
      // All calls of a step are checked before any runs. With a single one nobody can tell when its check is made.
      mayLeaveCheck: callCount === 1,
    }
    if (onEvent !== undefined || options.onEvent !== undefined) {
      scope.emit = (callId, told, at) => {
        const event: ExecutionEvent = { ...told, callId, at: at ?? now() }
        tell(onEvent, event)
        tell(options.onEvent, event)
      }
    }
    return scope
  }
}

/** What calls may name, and where they run. */
type CallableTools = Pick<StepTools, 'source' | 'tools' | 'heldBack'>

async function listTools(
  source: ToolSource,
  permissions: readonly ToolPermissions[],
): Promise<ReadonlyMap<string, ListedTool>> {
  const listed = await source.list()
  checkDenied(permissions, listed, source)
  // A list that cannot change is read once: a source may give it for every call.
  return Object.isFrozen(listed) ? byNameOnce(listed) : checkListed(listed)
}

const byNameOnce = once(checkListed)

// A listener of the app that throws must not end a call; its error still reaches the app's error handling.
function tell(listener: ((event: ExecutionEvent) => void) | undefined, event: ExecutionEvent): void {
  try {
    listener?.(event)
  } catch (error) {
    throwLater(error)
  }
}
