import type { JsonObject } from '../tool/json-value.ts'
import { latePart } from '../tool/late-part.ts'
import { modelTextsEn } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { StepContext } from '../tool/step-context.ts'
import type { CallRequest, ToolResult } from '../tool/tool-result.ts'
import { type MaybePromise, whenDone } from '../tool/when-done.ts'
import { gather } from '../toolset/gather.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { ToolPermissions } from '../toolset/tool-permissions.ts'
import { isToolSource } from '../toolset/tool-source.ts'
import type { ApprovalRequest } from './approval.ts'
import { approvalRequest } from './approval-request.ts'
import type { StageAnswer } from './call-trail.ts'
import type { GrantDuration } from './decision.ts'
import type { ExecuteOptions, StepOptions } from './execute-options.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { checkExecutorOptions, type ToolExecutorOptions } from './executor-options.ts'
import type { gate as Gate } from './gate.ts'
import type { ExecutorParts } from './in-scope.ts'
import type { Readers } from './parking.ts'
import type { GatedCall } from './run-batch.ts'
import type { RunTools } from './run-tools.ts'
import type { StepCall } from './step-call.ts'

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
  readonly #parts: ExecutorParts

  constructor(options: ToolExecutorOptions<never>) {
    checkExecutorOptions(options, 'new ToolExecutor()')
    const { tools, texts, permissions } = options
    this.#parts = {
      options: options as ToolExecutorOptions,
      source: isToolSource(tools) ? tools : gather(tools, 'new ToolExecutor()'),
      texts: { ...modelTextsEn, ...texts },
      rules: permissions === undefined ? [] : [permissions],
      readers: this.readers,
      trail: undefined,
    }
  }

  /** The tools that calls may name now, permitted ones only. */
  async list(permissions?: ToolPermissions): Promise<readonly ListedTool[]> {
    return this.#inScope(0, { permissions }, (scope, { visibleTools }) => visibleTools(scope))
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
    const { maxCallsPerStep = 32, failFast = false } = this.#parts.options
    const limits = { maxCallsPerStep, failFast, cutOff: options.cutOff }
    return this.#inScope(calls.length, options, (scope, { runBatch }) => runBatch(calls, scope, limits))
  }

  /**
   * Takes one call to the gates while its message is still written, and starts it when it changes nothing and nobody
   * has to be asked; for the agent, which gives what it gets to {@link runStep} with the other calls of the message.
   *
   * @internal
   */
  startCall(call: StepCall, options: StepOptions): MaybePromise<GatedCall> {
    // As one of several: all of them are checked before any runs.
    return this.#inScope(2, options, (scope, { startAhead }) => startAhead(call, scope))
  }

  /**
   * What has to be asked before a call may run; for a loop that asks by its own means, and gives the answer to
   * {@link runStep}.
   *
   * @internal
   */
  async question(call: StepCall, options: StepOptions): Promise<PendingCall | undefined> {
    // As one of several: its check is not left to the call.
    return this.#inScope(2, options, (scope, { questionOf }) => questionOf(call, scope))
  }

  /**
   * Opens the tools of one run, for the agent.
   *
   * @internal
   */
  async openRun(context: StepContext): Promise<RunTools> {
    const { source, texts, rules, options } = this.#parts
    const { openRunTools } = await theGate()
    return openRunTools(source, context, {
      permissions: rules,
      texts,
      alwaysPermitted: options.alwaysPermitted,
    })
  }

  /**
   * The question of a paused run as a `confirm` handler takes it; an input that the person changes is looked at where
   * its tool is now.
   *
   * @internal
   */
  approvalRequest(
    pending: PendingCall,
    { signal = new AbortController().signal, deps }: Pick<ExecuteOptions, 'signal' | 'deps'>,
  ): ApprovalRequest {
    const mayRemember: readonly GrantDuration[] =
      this.#parts.options.grants === undefined ? [] : ['session', 'always']
    const check = async (input: JsonObject) =>
      this.#inScope(1, { signal, deps }, (scope, { issuesOf }) => issuesOf(pending, input, scope))
    return approvalRequest(pending, { mayRemember, check, signal })
  }

  /**
   * What each stage of the gate said of a call that one of them refused or somebody was asked about; undefined for
   * others. The last 200 such calls are known.
   */
  explain(callId: string): readonly StageAnswer[] | undefined {
    return this.#parts.trail?.of(callId)
  }

  /** Releases what the sources hold. */
  async close(): Promise<void> {
    await this.#parts.source.close?.()
    // What is kept of calls outside of any run; a run that waits may still be resumed.
    await this.readers.get('')?.forget()
    this.readers.delete('')
  }

  #inScope<T>(
    callCount: number,
    options: StepOptions,
    use: (scope: ExecutionScope, gate: typeof Gate) => MaybePromise<T>,
  ): MaybePromise<T> {
    const enter = (gate: typeof Gate) =>
      gate.inScope(this.#parts, callCount, options, (scope) => use(scope, gate))
    return whenDone(theGate(), enter)
  }
}
