import { stopped, untilAborted } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { defined } from '../tool/defined.ts'
import type { StepContext } from '../tool/step-context.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { Crash, StepList } from './protocol.ts'
import { isRefused, type JobOptions, makeJob } from './worker-job.ts'
import {
  type EndReason,
  type LaneDied,
  type LaneJob,
  onlyLooks,
  type RunningJob,
  WorkerLane,
} from './worker-lane.ts'
import type { LanePlace, WorkerPool } from './worker-pool.ts'

/** How long a tool may take to stop when the toolset does not say. In milliseconds. */
const defaultGraceMs = 100

/** A call whose worker died before it started is given to another one at most this often. */
const maxPlacements = 8

const cancelledCheck: Preflight = {
  kind: 'crash',
  error: { name: 'AbortError', message: 'the call was cancelled' },
}

/** What of a tool decides about its lane. */
type LaneNeeds = Pick<ToolDefinition, 'parallelSafe'>

/** Where no tool is meant, any idle lane will do. */
const anyTool: LaneNeeds = { parallelSafe: true }

function crashed(message: string): Crash {
  return { kind: 'crash', error: { name: 'ToolError', code: 'worker-lost', message } }
}

const withdrawn: CallOutcome = { kind: 'stopped', mayHaveRun: false }

/**
 * Puts jobs on lanes and sees each to its end: stops what must stop, and runs innocent jobs again when
 * their worker had to be ended.
 */
export class JobRunner {
  readonly pool: WorkerPool
  readonly #options: JobOptions
  /** The end of the last job on the serial lane: its jobs run one after the other. */
  #serialTurn: Promise<unknown> = Promise.resolve()

  constructor(pool: WorkerPool, options: JobOptions) {
    this.pool = pool
    this.#options = options
  }

  /** Has a worker check a call. One that does not answer in time is ended. */
  async preflight(
    definition: ToolDefinition,
    input: unknown,
    options: SourceCallOptions,
  ): Promise<Preflight> {
    const job = makeJob({ kind: 'preflight', name: definition.name, input, options }, this.#options)
    if (isRefused(job)) return job
    const { signal } = options
    const attempt = async (lane: WorkerLane): Promise<Preflight | LaneDied> => {
      const running = lane.run<Preflight>(job)
      const answer = await waitUnlessAborted(running.answer, signal)
      if (answer !== stopped) return answer
      running.abort(signal?.reason)
      return cancelledCheck
    }
    // A check changes nothing, so it may always run again.
    const answer = await this.#untilAnswered(definition, job.kind, true, signal, attempt)
    if (answer?.kind !== 'lane-died') return answer ?? cancelledCheck
    return answer.why === 'overdue' ? overdue(definition) : lost(answer, definition)
  }

  /** Has a worker list its tools for one step. */
  async list({ deps, runId, step, capabilities }: StepContext): Promise<StepList | Crash> {
    const options = { deps, ...defined({ runId, step }) }
    const job = makeJob({ kind: 'listStep', name: '', input: capabilities ?? null, options }, this.#options)
    if (job.kind === 'invalid') return crashed('the capabilities of the model are not JSON')
    if (isRefused(job)) return job
    const attempt = (lane: WorkerLane) => lane.run<StepList | Crash>(job).answer
    const answer = await this.#untilAnswered(anyTool, job.kind, true, undefined, attempt)
    // Only an abort could leave it without an answer, and none comes here.
    if (answer === undefined) return crashed(endings.closed)
    return answer.kind === 'lane-died' ? lost(answer, anyTool) : answer
  }

  /** Runs a call, after a check in the same message unless it was checked before. */
  async call(definition: ToolDefinition, input: unknown, options: SourceCallOptions): Promise<CallOutcome> {
    const { signal } = options
    const kind = options.checked ? 'call' : 'checkedCall'
    const job = makeJob({ kind, name: definition.name, input, options }, this.#options)
    if (isRefused(job)) return job
    const attempt = (lane: WorkerLane) =>
      this.#stoppable(lane, lane.run<CallOutcome>(job), definition, signal)
    // A wrapper on the page may know of an effect that the tool does not declare.
    const effects = [definition, options.definition ?? definition].map(({ labels }) => labels.effect)
    const harmless = effects.every((effect) => effect === 'none')
    const answer = await this.#untilAnswered(definition, job.kind, harmless, signal, attempt)
    if (answer?.kind !== 'lane-died') return answer ?? withdrawn
    return answer.why === 'overdue'
      ? { kind: 'not-ready', answer: overdue(definition) }
      : lost(answer, definition)
  }

  /**
   * Runs a job on a lane, and on another one when the lane died under it: as long as it never started, or
   * once more when it did and changes nothing. Undefined when the signal aborted before it had a lane.
   */
  async #untilAnswered<T extends { readonly kind: string }>(
    definition: LaneNeeds,
    kind: LaneJob['kind'],
    harmless: boolean,
    signal: AbortSignal | undefined,
    attempt: (lane: WorkerLane) => Promise<T | LaneDied>,
  ): Promise<T | LaneDied | undefined> {
    let starts = 0
    let repeats = 0
    for (let placements = 1; ; placements += 1) {
      const answer = await this.#place(definition, kind, signal, attempt)
      if (answer?.kind !== 'lane-died') return answer
      const died = answer as LaneDied
      if (died.started) starts += 1
      if (died.started || died.why !== 'stopped') repeats += 1
      const safe = harmless || starts === 0
      // On another lane a tool with state would answer as if nothing had been lost.
      const possible = definition.parallelSafe && repeatable.has(died.why) && placements < maxPlacements
      if (!safe || !possible || repeats > 1) return { ...died, started: starts > 0 }
    }
  }

  /** Finds a lane and runs on it; undefined when the signal aborted before that. */
  async #place<T>(
    definition: LaneNeeds,
    kind: LaneJob['kind'],
    signal: AbortSignal | undefined,
    attempt: (lane: WorkerLane) => Promise<T>,
  ): Promise<T | undefined> {
    if (definition.parallelSafe) return this.#onLane(onlyLooks(kind) ? 'idle' : 'parallel', signal, attempt)
    const before = this.#serialTurn
    const run = async () => {
      if ((await waitUnlessAborted(before, signal)) === stopped) return undefined
      return this.#onLane('serial', signal, attempt)
    }
    const running = run()
    const ignore = () => {}
    this.#serialTurn = before.then(() => running).then(ignore, ignore)
    return running
  }

  async #onLane<T>(
    place: LanePlace,
    signal: AbortSignal | undefined,
    attempt: (lane: WorkerLane) => Promise<T>,
  ): Promise<T | undefined> {
    while (!signal?.aborted) {
      const picked = this.pool.pick(place)
      if (picked instanceof WorkerLane) return attempt(picked)
      await waitUnlessAborted(picked, signal)
    }
    return undefined
  }

  /** Abort message, grace, and then the end of the worker. A job that never started ends no worker. */
  async #stoppable(
    lane: WorkerLane,
    running: RunningJob<CallOutcome>,
    definition: ToolDefinition,
    signal: AbortSignal | undefined,
  ): Promise<CallOutcome | LaneDied> {
    const answer = await waitUnlessAborted(running.answer, signal)
    if (answer !== stopped) return answer
    running.abort(signal?.reason)
    const graceMs = this.#options.graceMs ?? defaultGraceMs
    const graceful = await within<CallOutcome | LaneDied | undefined>(running.answer, graceMs, undefined)
    if (graceful?.kind === 'lane-died') return { kind: 'stopped', mayHaveRun: graceful.started }
    const gaveUp = graceful?.kind === 'stopped' && graceful.stillRunning
    if (graceful !== undefined && !gaveUp) return graceful
    if (!running.isStarted()) {
      running.withdraw(graceMs)
      return withdrawn
    }
    this.pool.kill(lane, 'stopped')
    return { kind: 'stopped', mayHaveRun: true, ...(definition.parallelSafe ? {} : { stateLost: true }) }
  }
}

const repeatable: ReadonlySet<EndReason> = new Set(['stopped', 'hung'])

const endings: Readonly<Record<EndReason, string>> = {
  stopped: 'its worker was ended because another call on it did not stop',
  overdue: 'its check did not answer',
  hung: 'its worker did not react any more and was ended',
  closed: 'its WorkerToolset was closed',
}

function overdue({ parallelSafe }: LaneNeeds): Preflight {
  return parallelSafe ? { kind: 'timeout' } : { kind: 'timeout', stateLost: true }
}

function lost(died: LaneDied, { parallelSafe }: LaneNeeds): Extract<CallOutcome, { kind: 'crash' }> {
  const stateLost = !parallelSafe && died.why !== 'closed' ? '; the state that it kept is lost' : ''
  return {
    kind: 'crash',
    error: {
      name: 'ToolError',
      code: died.why === 'closed' ? 'closed' : 'worker-lost',
      message: `${endings[died.why]}${stateLost}`,
      retryable: died.why !== 'closed',
    },
    mayHaveRun: died.started,
  }
}

function waitUnlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | typeof stopped> {
  return signal === undefined ? promise : untilAborted(promise, signal)
}
