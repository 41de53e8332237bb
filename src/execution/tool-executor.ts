import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { CallRequest, ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import type { Writable } from '../tool/writable.ts'
import { gather } from '../toolset/gather.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { checkPermissions, type ToolPermissions } from '../toolset/tool-permissions.ts'
import { isToolSource, type ToolSource } from '../toolset/tool-source.ts'
import type { ApprovalRequest } from './approval.ts'
import { approvalRequest } from './approval-request.ts'
import type { CallTrail, StageAnswer } from './call-trail.ts'
import type { GrantDuration } from './decision.ts'
import type { ExecuteOptions, StepOptions } from './execute-options.ts'
import type { ExecutionEvent } from './execution-event.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { checkExecutorOptions, type ToolExecutorOptions } from './executor-options.ts'
import type { gate as Gate } from './gate.ts'
import { type CallableTools, withOwnTools } from './own-tools.ts'
import type { Readers } from './parking.ts'
import type { GatedCall } from './run-batch.ts'
import { openRunTools, type RunTools } from './run-tools.ts'
import type { StepCall } from './step-call.ts'
import { tellListener } from './tell-listener.ts'
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
  /** @internal */
  readonly readers: Readers = new Map()
  readonly #options: ToolExecutorOptions
  readonly #source: ToolSource
  readonly #texts: ModelTexts
  readonly #ownRules: readonly ToolPermissions[]
  #trail: CallTrail | undefined
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
    const run = ({ runBatch, newTrail }: typeof Gate) => {
      this.#trail ??= newTrail()
      return this.#inStep(options, (tools) =>
        runBatch(calls, this.#scope(calls.length, options, tools), limits),
      )
    }
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

  /**
   * What each stage of the gate said of a call that one of them refused or somebody was asked about; undefined for
   * others. The last 200 such calls are known.
   */
  explain(callId: string): readonly StageAnswer[] | undefined {
    return this.#trail?.of(callId)
  }

  /** Releases what the sources hold. */
  async close(): Promise<void> {
    await this.#source.close?.()
    // What is kept of calls outside of any run; a run that waits may still be resumed.
    if (this.readers.has('')) await (await theGate()).forgetResults(this.readers, '')
  }

  /** Uses the tools as one step has them: the agent's, or those of a source that is opened for this alone. */
  #inStep<T>(options: StepOptions, use: (tools: CallableTools) => MaybePromise<T>): MaybePromise<T> {
    const { tools, permissions, deps, runId, step } = options
    if (tools !== undefined) return use(tools)
    checkPermissions(permissions, 'execute()')
    const context: StepContext = { deps, ...defined({ runId, step }) }
    const reader = this.readers.get(runId ?? '')
    return withOwnTools(this.#source, context, this.#rules(permissions), (own) =>
      use(reader?.addTo(own) ?? own),
    )
  }

  #rules(further: ToolPermissions | undefined): readonly ToolPermissions[] {
    return [this.#options.permissions, further].filter((each) => each !== undefined)
  }

  #scope(
    callCount: number,
    options: StepOptions,
    { source, tools, heldBack }: CallableTools,
  ): ExecutionScope {
    const { middleware = [], timeoutMs = 60_000, maxRetries = 1, maxResultChars = 16_000 } = this.#options
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
      maxResultChars,
      readers: this.readers,
      budget,
      taint: options.taint,
      trustedTexts: options.trustedTexts,
      policy: this.#options.policy,
      trustedHosts: this.#options.trustedHosts,
      trail: this.#trail,
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
        tellListener(onEvent, event)
        tellListener(options.onEvent, event)
      }
    }
    return scope
  }
}
