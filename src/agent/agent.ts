import type { ApprovalRequest } from '../execution/approval.ts'
import type { ExecuteOptions, ToolExecutor } from '../execution/tool-executor.ts'
import { checkOptions } from '../tool/check-options.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { randomId } from '../tool/random-id.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { type AgentOptions, agentExecutor, checkAgentOptions } from './agent-options.ts'
import type { CallAnswers } from './answers.ts'
import type { Message } from './message.ts'
import type { PendingRun } from './pending-runs.ts'
import { type ReopenedRun, reopenRun } from './reopen.ts'
import { runLoop } from './run-loop.ts'
import { RunRecord } from './run-record.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import type { RunState } from './run-state.ts'
import { streamRun, type UnstartedRun } from './stream-run.ts'
import { validHistory } from './valid-history.ts'

/** What differs from run to run. */
export interface RunOptions<Deps = unknown> {
  /** The conversation so far, as an earlier run returned it. */
  readonly messages?: readonly Message[]
  /** Aborting it ends the run: every open call gets its result and nothing keeps running. */
  readonly signal?: AbortSignal
  /** Replaces the agent's own. */
  readonly deps?: Deps
}

/** What differs from resume to resume. */
export type ResumeOptions<Deps = unknown> = Pick<RunOptions<Deps>, 'signal' | 'deps'>

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
  readonly #options: AgentOptions<Deps>
  readonly #executor: ToolExecutor
  readonly #texts: ModelTexts

  constructor(options: AgentOptions<Deps>) {
    const where = `agent "${options?.name ?? 'agent'}"`
    checkAgentOptions(options, where)
    this.name = options.name ?? 'agent'
    this.#options = options
    this.#texts = { ...modelTextsEn, ...options.texts }
    this.#executor = agentExecutor(options, where)
  }

  /**
   * Runs to the end, or until calls wait for an answer, and gives the result.
   *
   * @throws {@link RunError} with the result so far: named `AbortError` when the signal aborted, `RunError`
   * when the model failed. What happens to calls never rejects.
   */
  run(input: string, options: RunOptions<Deps> = {}): Promise<RunResult> {
    return lastResult(this.stream(input, options))
  }

  /**
   * Runs and yields events, the last one `done` or `paused`. The run starts with the first `next()`; leaving the
   * loop early aborts it.
   *
   * @throws {@link RunError} from the iterator, as {@link run}.
   */
  async *stream(input: string, options: RunOptions<Deps> = {}): AsyncGenerator<AgentEvent, void> {
    checkOptions(options, ['messages', 'signal', 'deps'], `${this.name}.stream()`)
    const history = validHistory(options.messages ?? [], this.#texts)
    const messages: readonly Message[] = [...history, { role: 'user', text: input }]
    const start = { runId: randomId('run'), agent: this.name, messages }
    yield* this.#start(start, 0, undefined, options)
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
  resume(state: RunState, answers: CallAnswers = {}, options: ResumeOptions<Deps> = {}): Promise<RunResult> {
    return lastResult(this.resumeStream(state, answers, options))
  }

  /** The same as events, as {@link stream}. */
  async *resumeStream(
    state: RunState,
    answers: CallAnswers = {},
    options: ResumeOptions<Deps> = {},
  ): AsyncGenerator<AgentEvent, void> {
    checkOptions(options, ['signal', 'deps'], `${this.name}.resume()`)
    const asksNow = typeof this.#options.confirm === 'function'
    const reopened = reopenRun(state, answers, { agent: this.name, texts: this.#texts, asksNow })
    yield* this.#start(reopened.from, reopened.from.revision, reopened, options)
  }

  /**
   * The runs of this agent in its store that are not over and that nobody is running now: paused ones, and those
   * whose page was closed. Empty without a store.
   */
  async pendingRuns(): Promise<readonly PendingRun[]> {
    const { store } = this.#options
    return store === undefined ? [] : store['~keeper'].pendingRuns(store, this.name)
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
    return this.#executor.approvalRequest(pending, { deps: this.#options.deps, ...options })
  }

  /** Runs one tool through the agent's gate, outside any run. `permissions` can only narrow the agent's own. */
  executeTool(name: string, input: unknown = {}, options: ExecuteOptions = {}): Promise<ToolResult> {
    return this.#executor.execute({ name, input }, { deps: this.#options.deps, ...options })
  }

  /** Releases what the agent's sources hold: workers, connections. */
  close(): Promise<void> {
    return this.#executor.close()
  }

  #start(
    from: ConstructorParameters<typeof RunRecord>[0],
    revision: number,
    reopened: ReopenedRun | undefined,
    { deps = this.#options.deps, signal }: ResumeOptions<Deps>,
  ): AsyncGenerator<AgentEvent, void> {
    const { model, instructions, limits = {}, store, maxRetries = 1, onExhausted } = this.#options
    const { output, endStrategy = 'graceful' } = this.#options
    const run: UnstartedRun = {
      ...{ model, instructions, limits, deps, reopened, maxRetries },
      record: new RunRecord(from, limits.maxToolCalls),
      executor: this.#executor,
      texts: this.#texts,
      throwsExhausted: onExhausted === 'throw',
      endStrategy: output === undefined ? undefined : endStrategy,
      save: async () => {},
      revision: () => revision,
    }
    if (store === undefined) return streamRun(run, signal, runLoop)
    return streamRun(run, signal, (setup) => store['~keeper'].run(setup, store, revision, runLoop))
  }
}

async function lastResult(events: AsyncGenerator<AgentEvent, void>): Promise<RunResult> {
  let result: RunResult | undefined
  for await (const event of events) {
    if (event.type === 'done' || event.type === 'paused') result = event.result
  }
  // The stream throws or ends with one of the two.
  return result as RunResult
}
