import { wrap } from 'comlink'
import { now } from '../tool/clock.ts'
import { type ErrorData, errorToData } from '../tool/error-data.ts'
import { withResolvers } from '../tool/resolvers.ts'
import type { SourceCallOptions } from '../toolset/tool-source.ts'
import type { OpenedWorker } from './open-worker.ts'
import {
  type AbortMessage,
  isOurMessage,
  type ManifestEntry,
  protocolVersion,
  type WireCallOptions,
  type WorkerFace,
} from './protocol.ts'

/** Something for a worker to do: look at a call, run it, or first the one and then the other. */
export interface LaneJob {
  readonly kind: keyof WorkerFace
  readonly name: string
  readonly input: unknown
  readonly options: Omit<WireCallOptions, 'jobId' | 'sentAt'>
  readonly callbacks: Pick<SourceCallOptions, 'onStart' | 'onProgress' | 'onLog'>
}

/** Sends a job to the worker. */
type SendJob = (name: string, input: unknown, options: WireCallOptions) => Promise<unknown>

/** A job under way on a lane. */
export interface RunningJob<Outcome> {
  /** What the worker answered, or that its lane died first. Never rejects. */
  readonly answer: Promise<Outcome | LaneDied>
  /** Whether the worker reported that the tool started. A preflight starts none. */
  isStarted(): boolean
  /** Asks the worker to stop it. */
  abort(reason: unknown): void
  /** Says that nobody waits for it any more: should it start all the same, it has this long to end. */
  withdraw(graceMs: number): void
}

/**
 * Why a worker was ended: a job on it did not stop, this very preflight did not answer, it reacted to
 * nothing any more, or the toolset was closed.
 */
export type EndReason = 'stopped' | 'overdue' | 'hung' | 'closed'

/** The worker was ended while a job was open on it. */
export interface LaneDied {
  readonly kind: 'lane-died'
  readonly started: boolean
  readonly why: EndReason
}

interface OpenJob {
  readonly job: LaneJob
  started: boolean
  withdrawnMs?: number
  settle(answer: unknown): void
}

/**
 * A check is unanswered when a worker that runs no call is silent for this long, in milliseconds. A
 * little more than the worker gives a check itself: one that can still say so need not be ended.
 */
const checkSilenceMs = 3_200

/** A worker that runs no call, and does not start the one that it has, is ended after this long. In milliseconds. */
const callSilenceMs = 10_000

/** What a tool is told of an abort whose reason cannot cross. */
const cancelled = { name: 'AbortError', message: 'the call was cancelled' }

let jobCount = 0

/**
 * One live worker. Holds it and its Comlink proxies strongly as long as the lane lives (a proxy that is
 * garbage-collected in mid-call loses the answer), and settles every open job when the worker is ended,
 * which Comlink never does.
 */
export class WorkerLane {
  /** For events and charts. A spare takes the name of the lane that it replaces. */
  name: string
  /** What it serves. */
  readonly tools: readonly ManifestEntry[]
  readonly #worker: Worker
  readonly #remote: { readonly [Kind in LaneJob['kind']]: SendJob }
  readonly #onStuck: (lane: WorkerLane, why: EndReason) => void
  readonly #jobs = new Map<string, OpenJob>()
  #dead: EndReason | undefined
  #heardAt = 0
  #watch: ReturnType<typeof setTimeout> | undefined

  /** `onStuck` is told when the worker keeps a job from answering, and must end the lane. */
  constructor(
    name: string,
    { worker, tools }: OpenedWorker,
    onStuck: (lane: WorkerLane, why: EndReason) => void,
  ) {
    this.name = name
    this.tools = tools
    this.#worker = worker
    this.#onStuck = onStuck
    const { preflight, call, checkedCall, listStep } = wrap<WorkerFace>(worker)
    this.#remote = { preflight, call, checkedCall, listStep }
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data))
  }

  get dead(): boolean {
    return this.#dead !== undefined
  }

  /** How many jobs are open on it. */
  get load(): number {
    return this.#jobs.size
  }

  /** Whether no call runs on it or waits for it; a preflight may. */
  get idle(): boolean {
    for (const { job } of this.#jobs.values()) if (!onlyLooks(job.kind)) return false
    return true
  }

  run<Outcome>(job: LaneJob): RunningJob<Outcome> {
    jobCount += 1
    const id = `job_${jobCount}`
    const { promise, resolve } = withResolvers<unknown>()
    const settle = (answer: unknown) => {
      this.#jobs.delete(id)
      resolve(answer)
    }
    const open: OpenJob = { job, started: false, settle }
    if (this.#dead === undefined) this.#send(id, open)
    else settle(died(open, this.#dead))
    return {
      answer: promise as Promise<Outcome | LaneDied>,
      isStarted: () => open.started,
      abort: (reason) => this.#abort(id, reason),
      withdraw: (graceMs) => {
        open.withdrawnMs = graceMs
      },
    }
  }

  /** Ends the worker at once; open jobs get {@link LaneDied}. */
  kill(why: EndReason): void {
    if (this.#dead !== undefined) return
    this.#dead = why
    clearTimeout(this.#watch)
    this.#worker.terminate()
    for (const open of this.#jobs.values()) open.settle(died(open, why))
  }

  #send(jobId: string, open: OpenJob): void {
    const { kind, name, input, options } = open.job
    if (this.#jobs.size === 0) this.#heardAt = performance.now()
    this.#jobs.set(jobId, open)
    this.#watch ??= setTimeout(() => this.#look(), checkSilenceMs)
    this.#remote[kind](name, input, { ...options, jobId, sentAt: now() }).then(
      open.settle,
      (error: unknown) => open.settle({ kind: 'crash', error: wireError(name, error) }),
    )
  }

  #abort(jobId: string, reason: unknown): void {
    if (!this.#jobs.has(jobId)) return
    const { name, message } = reason instanceof DOMException ? reason : cancelled
    const abort: AbortMessage = { offstage: protocolVersion, type: 'abort', jobId, reason: name, message }
    this.#worker.postMessage(abort)
  }

  #receive(data: unknown): void {
    this.#heardAt = performance.now()
    if (!isOurMessage(data) || !('jobId' in data)) return
    const open = this.#jobs.get(data.jobId)
    if (open === undefined) return
    if (data.type === 'started') {
      open.started = true
      open.job.callbacks.onStart?.({ at: data.at, lane: this.name })
      if (open.withdrawnMs !== undefined) this.#endUnlessGone(data.jobId, open.withdrawnMs)
    }
    if (data.type === 'progress') open.job.callbacks.onProgress?.(data.value)
    if (data.type === 'log') open.job.callbacks.onLog?.(data.entry)
  }

  // Its start crossed the message that withdrew it.
  #endUnlessGone(jobId: string, graceMs: number): void {
    setTimeout(() => {
      if (this.#jobs.has(jobId)) this.#onStuck(this, 'stopped')
    }, graceMs)
  }

  /** Finds out whether the worker is stuck. A call that runs has a deadline of its own. */
  #look(): void {
    this.#watch = undefined
    if (this.#jobs.size === 0) return
    const jobs = Array.from(this.#jobs.values())
    const check = jobs.find(isCheck)
    const limitMs = check === undefined ? callSilenceMs : checkSilenceMs
    const leftMs = jobs.some(({ started }) => started)
      ? limitMs
      : limitMs - (performance.now() - this.#heardAt)
    if (leftMs > 0) {
      this.#watch = setTimeout(() => this.#look(), Math.min(leftMs, checkSilenceMs))
      return
    }
    // The oldest is the one that the worker is at; the others only wait behind it.
    check?.settle(died(check, 'overdue'))
    this.#onStuck(this, check === undefined ? 'hung' : 'stopped')
  }
}

function isCheck({ job, started }: OpenJob): boolean {
  return onlyLooks(job.kind) || (job.kind === 'checkedCall' && !started)
}

/** Whether a job of that kind starts no tool. */
export function onlyLooks(kind: LaneJob['kind']): boolean {
  return kind === 'preflight' || kind === 'listStep'
}

// Neither method of the worker rejects: what failed is the way there, or the way back where no look at the
// value could tell.
function wireError(name: string, error: unknown): ErrorData {
  const data = errorToData(error)
  const what =
    data.name === 'DataCloneError' ? 'call cannot be cloned into' : 'result cannot be cloned out of'
  const message = `${name}: ${what} the worker (${data.message}); use plain data there`
  return { name: 'ToolError', code: 'uncloneable', message }
}

function died({ started }: OpenJob, why: EndReason): LaneDied {
  return { kind: 'lane-died', started, why }
}
