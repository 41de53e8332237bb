import type { ApprovalRequest } from '../execution/approval.ts'
import type { StageAnswer } from '../execution/call-trail.ts'
import type { ExecuteOptions } from '../execution/execute-options.ts'
import type { ResultStore } from '../execution/result-store.ts'
import { theGate } from '../execution/tool-executor.ts'
import { checkOptions } from '../tool/check-options.ts'
import { latePart } from '../tool/late-part.ts'
import { modelTextsEn } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { type AgentOptions, agentExecutor, checkAgentOptions, pickersOf } from './agent-options.ts'
import type { CallAnswers } from './answers.ts'
import type { Message, UserInput } from './message.ts'
import type { Runner } from './new-run.ts'
import type { PendingRun } from './pending-runs.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import type { RunState } from './run-state.ts'
import { finishRun, streamRun, type UnstartedRun } from './stream-run.ts'

/** What runs consist of: it is fetched for the first one. */
const runs = latePart(async () => {
  // Both at once, and before the model is asked: a run that could not run its calls does not begin.
  const [{ newRun, reopenedRun }] = await Promise.all([import('./new-run.ts'), theGate()])
  return { newRun, reopenedRun }
})

/** What differs from run to run. */
export interface RunOptions<Deps = unknown> {
  /** The conversation so far, as an earlier run returned it. */
  readonly messages?: readonly Message[]
  /** Aborting it ends the run: every open call gets its result and nothing keeps running. */
  readonly signal?: AbortSignal
  /** Replaces the agent's own. */
  readonly deps?: Deps
  /**
   * Why the app vouches for all that the conversation has read so far: after a person has looked at it, say. The run
   * begins as if that had come from the app, and an event `taint-cleared` tells of it. Words of tools that nobody has
   * accepted are read again, and count again.
   */
  readonly clearTaint?: string
  /**
   * The session's conversation: long results are kept for it, and not for the run alone.
   *
   * @internal
   */
  readonly conversation?: string
}

/** What differs from resume to resume. */
export type ResumeOptions<Deps = unknown> = Pick<RunOptions<Deps>, 'signal' | 'deps' | 'clearTaint'>

/**
 * A model with tools behind the gate. `stream` yields what happens, `run` waits for the end; both are the
 * same loop.
 *
 * @throws {@link ToolRegistrationError} from the constructor for options that cannot work.
 * @example
 * const agent = new Agent({ model, tools: [getWeather, workerTools], confirm: confirmDialog() })
 * const { finalOutput } = await agent.run('Do I need an umbrella in Oslo?')
 */
export class Agent<Deps = unknown> {
  readonly name: string
  /** @internal */
  readonly '~resultStore': ResultStore | undefined
  readonly #runner: Runner<Deps>

  constructor(options: AgentOptions<Deps>) {
    const where = `agent "${options?.name ?? 'agent'}"`
    checkAgentOptions(options, where)
    this.name = options.name ?? 'agent'
    this['~resultStore'] = options.resultStore
    const texts = { ...modelTextsEn, ...options.texts }
    const pickers = pickersOf(options)
    const executor = agentExecutor(options, pickers, where)
    this.#runner = { name: this.name, options, texts, pickers, executor }
  }

  /**
   * Runs to the end, or until calls wait for an answer, and gives the result.
   *
   * @throws {@link RunError} with the result so far: named `AbortError` when the signal aborted, `RunError`
   * when the model failed. What happens to calls never rejects. An `Error` that says what helps, before the model is
   * asked, when what runs consist of cannot be fetched with `import()`.
   */
  async run(input: UserInput, options: RunOptions<Deps> = {}): Promise<RunResult> {
    return finishRun(await this.#new(input, options))
  }

  /**
   * Runs and yields events, the last one `done` or `paused`. The run starts with the first `next()`; leaving the
   * loop early aborts it.
   *
   * @throws {@link RunError} from the iterator, as {@link run}.
   */
  stream(input: UserInput, options: RunOptions<Deps> = {}): AsyncGenerator<AgentEvent, void> {
    return streamRun(() => this.#new(input, options))
  }

  /**
   * Goes on with a paused run, or with one whose page was closed. Calls that are over never run again; calls without
   * an answer wait on, or are asked about again when the agent has a `confirm` handler.
   *
   * @param state - `state` of the result, or of what {@link pendingRuns} gives.
   * @param answers - By call id.
   * @throws {@link RunStateError} before anything runs: for a state that is not the latest, or is running elsewhere,
   * and for answers that do not fit. {@link RunError} as {@link run}.
   * @example
   * const paused = await agent.run('Clean up my files')
   * const { finalOutput } = await agent.resume(paused.state, { [paused.pending[0].callId]: true })
   */
  async resume(
    state: RunState,
    answers: CallAnswers = {},
    options: ResumeOptions<Deps> = {},
  ): Promise<RunResult> {
    return finishRun(await this.#reopened(state, answers, options))
  }

  /** The same as events, as {@link stream}. */
  resumeStream(
    state: RunState,
    answers: CallAnswers = {},
    options: ResumeOptions<Deps> = {},
  ): AsyncGenerator<AgentEvent, void> {
    return streamRun(() => this.#reopened(state, answers, options))
  }

  /**
   * The runs of this agent in its store that are not over and that nobody is running now: paused ones, and those
   * whose page was closed. Empty without a store.
   */
  async pendingRuns(): Promise<readonly PendingRun[]> {
    const { name, options } = this.#runner
    return options.store?.['~keeper'].pendingRuns(options.store, name) ?? []
  }

  /**
   * The question of a paused run as a `confirm` handler takes it, so that `confirmDialog()` can put it to the person
   * now. The answer goes into {@link resume} under the call's id; one that says `unanswered` leaves the call pending.
   *
   * @throws Error for a call that is answered elsewhere: no person can say what its output is.
   * @example
   * const answer = await confirmDialog()(agent.approvalRequest(pending))
   * await agent.resume(state, { [pending.callId]: answer })
   */
  approvalRequest(pending: PendingCall, options: ResumeOptions<Deps> = {}): ApprovalRequest {
    const { executor, options: own } = this.#runner
    const { clearTaint: _none, ...rest } = options
    return executor.approvalRequest(pending, { deps: own.deps, ...rest })
  }

  /** Runs one tool through the agent's gate, outside any run. `permissions` can only narrow the agent's own. */
  executeTool(name: string, input: unknown = {}, options: ExecuteOptions = {}): Promise<ToolResult> {
    const { executor, options: own } = this.#runner
    return executor.execute({ name, input }, { deps: own.deps, ...options })
  }

  /**
   * What each stage of the gate said of a call, in order: why it was asked about or refused. Known of the last 200
   * calls of which somebody was asked or that were refused, and of all others of the run that was started last;
   * undefined for others.
   *
   * @example agent.explain(result.call.id)?.find(({ stage }) => stage === 'policy')?.reason
   */
  explain(callId: string): readonly StageAnswer[] | undefined {
    return this.#runner.executor.explain(callId) ?? this.#runner.last?.explain(callId)
  }

  /** Releases what the agent's sources hold: workers, connections. */
  close(): Promise<void> {
    return this.#runner.executor.close()
  }

  async #new(input: UserInput, options: RunOptions<Deps>): Promise<UnstartedRun> {
    checkOptions(
      options,
      ['messages', 'signal', 'deps', 'clearTaint', 'conversation'],
      `${this.#runner.name}.stream()`,
    )
    const { newRun } = await runs()
    return newRun(this.#runner, input, options)
  }

  async #reopened(
    state: RunState,
    answers: CallAnswers,
    options: ResumeOptions<Deps>,
  ): Promise<UnstartedRun> {
    checkOptions(options, ['signal', 'deps', 'clearTaint'], `${this.#runner.name}.resume()`)
    const { reopenedRun } = await runs()
    return reopenedRun(this.#runner, state, answers, options)
  }
}
