import { stopped, untilAborted } from '../tool/abort.ts'
import type { CallOutcome, Preflight } from '../tool/call-outcome.ts'
import { findUncloneableExactly } from '../tool/cloneable.ts'
import { type ErrorData, errorToData } from '../tool/error-data.ts'
import { copyJson, type ToolIssue } from '../tool/json-value.ts'
import { randomId } from '../tool/random-id.ts'
import { withResolvers } from '../tool/resolvers.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { LaneDied, LaneJob, RunningJob, WorkerLane } from './worker-lane.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Once its worker started on it, a preflight has this long. In milliseconds. */
const preflightLimitMs = 3_000

/** What the runner needs of the toolset's options. */
export interface JobRunnerOptions {
  readonly graceMs?: number
  deps?(deps: never): unknown
}

type Refused =
  | { readonly kind: 'crash'; readonly error: ErrorData }
  | { readonly kind: 'invalid'; readonly issues: readonly ToolIssue[] }

const withdrawn: CallOutcome = { kind: 'stopped', mayHaveRun: false }

/**
 * Puts jobs on lanes and sees each to its end: stops what must stop, and runs innocent jobs again when
 * their worker had to be ended.
 */
export class JobRunner {
  readonly #pool: WorkerPool
  readonly #options: JobRunnerOptions
  /** The end of the last job on the serial lane: its jobs run one after the other. */
  #serialTurn: Promise<unknown> = Promise.resolve()

  constructor(pool: WorkerPool, options: JobRunnerOptions) {
    this.#pool = pool
    this.#options = options
  }

  /** Has a worker check a call. One that does not answer in time is ended. */
  async preflight(
    definition: ToolDefinition,
    input: unknown,
    options: SourceCallOptions,
  ): Promise<Preflight> {
    const job = this.#job('preflight', definition, input, options)
    if ('issues' in job || 'error' in job) return job
    const attempt = async (lane: WorkerLane): Promise<Preflight | LaneDied> =>
      withinLimit(lane.run<Preflight>(job), () => this.#pool.kill(lane))
    const first = await this.#place(definition, 'preflight', options.signal, attempt)
    // A check changes nothing, so it may always run again.
    const answer =
      first?.kind === 'lane-died'
        ? await this.#place(definition, 'preflight', options.signal, attempt)
        : first
    if (answer === undefined)
      return { kind: 'crash', error: { name: 'AbortError', message: 'the call was cancelled' } }
    return answer.kind === 'lane-died' ? lost(answer) : answer
  }

  /** Runs a call. */
  async call(definition: ToolDefinition, input: unknown, options: SourceCallOptions): Promise<CallOutcome> {
    const job = this.#job('call', definition, input, options)
    if ('issues' in job || 'error' in job) return job
    const attempt = (lane: WorkerLane): Promise<CallOutcome | LaneDied> =>
      this.#stoppable(lane, lane.run<CallOutcome>(job), definition, options.signal)
    const first = (await this.#place(definition, 'call', options.signal, attempt)) ?? withdrawn
    if (first.kind !== 'lane-died') return first
    if (first.started && definition.labels.effect !== 'none') return lost(first)
    const second = (await this.#place(definition, 'call', options.signal, attempt)) ?? withdrawn
    return second.kind === 'lane-died' ? lost(second) : second
  }

  /** Finds a lane and runs on it; undefined when the signal aborted before that. */
  async #place<T>(
    definition: ToolDefinition,
    kind: LaneJob['kind'],
    signal: AbortSignal | undefined,
    run: (lane: WorkerLane) => Promise<T>,
  ): Promise<T | undefined> {
    const onLane = async (opening: Promise<WorkerLane>): Promise<T | undefined> => {
      const lane = await waitUnlessAborted(opening, signal)
      return lane === stopped ? undefined : run(lane)
    }
    if (definition.parallelSafe) {
      return onLane(kind === 'call' ? this.#pool.parallelLane() : this.#pool.idleLane())
    }
    const before = this.#serialTurn
    const { promise: over, resolve: release } = withResolvers<void>()
    this.#serialTurn = before.then(() => over)
    try {
      if ((await waitUnlessAborted(before, signal)) === stopped) return undefined
      return await onLane(this.#pool.serialLane())
    } finally {
      release()
    }
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
    running.abort(asAbortReason(signal?.reason))
    const graceful = await withinMs(running.answer, this.#options.graceMs ?? 100)
    if (graceful?.kind === 'lane-died') return { kind: 'stopped', mayHaveRun: graceful.started }
    const settled = graceful !== undefined && !(graceful.kind === 'stopped' && graceful.stillRunning)
    if (settled) return graceful
    if (!running.isStarted()) return withdrawn
    this.#pool.kill(lane)
    return { kind: 'stopped', mayHaveRun: true, ...(definition.parallelSafe ? {} : { stateLost: true }) }
  }

  #job(
    kind: LaneJob['kind'],
    definition: ToolDefinition,
    input: unknown,
    options: SourceCallOptions,
  ): LaneJob | Refused {
    // Copied here, so that a Proxy (Svelte's $state) crosses as the JSON that it shows.
    const copied = copyJson(input)
    if (copied.issues !== undefined) return { kind: 'invalid', issues: copied.issues }
    const deps = this.#pickDeps(options.deps)
    if ('error' in deps) return { kind: 'crash', error: deps.error }
    const { runId, step, approval } = options
    return {
      kind,
      name: definition.name,
      input: copied.value,
      options: {
        callId: options.callId ?? randomId('call'),
        ...(runId === undefined ? {} : { runId }),
        ...(step === undefined ? {} : { step }),
        ...(deps.picked === undefined ? {} : { deps: deps.picked }),
        ...(approval === undefined ? {} : { approval }),
      },
      callbacks: options,
    }
  }

  #pickDeps(deps: unknown): { readonly picked: unknown } | { readonly error: ErrorData } {
    if (this.#options.deps === undefined) return { picked: undefined }
    try {
      const picked = this.#options.deps(deps as never)
      const found = findUncloneableExactly(picked, { classInstances: 'refuse' })
      if (found === undefined) return { picked }
      const place = found.path === '' ? 'the picked value' : `"${found.path}"`
      const message =
        `deps of the WorkerToolset: ${place} is ${found.what}, which cannot go to a worker whole. ` +
        'Pick plain data in the deps option, or register the tool on the page instead.'
      return { error: { name: 'ToolError', code: 'uncloneable', message } }
    } catch (error) {
      const data = errorToData(error)
      return { error: { ...data, message: `the deps option of the WorkerToolset threw: ${data.message}` } }
    }
  }
}

function lost(died: LaneDied): Extract<CallOutcome, { kind: 'crash' }> {
  const message = 'its worker was ended because another call on it did not stop'
  return {
    kind: 'crash',
    error: { name: 'ToolError', code: 'worker-lost', message, retryable: true },
    mayHaveRun: died.started,
  }
}

function waitUnlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | typeof stopped> {
  return signal === undefined ? promise : untilAborted(promise, signal)
}

function asAbortReason(reason: unknown): DOMException {
  return reason instanceof DOMException ? reason : new DOMException('the call was cancelled', 'AbortError')
}

async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}

async function withinLimit(running: RunningJob<Preflight>, kill: () => void): Promise<Preflight | LaneDied> {
  // Before its start it only waits for others, each of which has a limit of its own.
  await Promise.race([running.started, running.answer])
  const answer = await withinMs(running.answer, preflightLimitMs)
  if (answer !== undefined) return answer
  kill()
  return { kind: 'timeout' }
}
