import { type Remote, wrap } from 'comlink'
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

/** Something for a worker to do: look at a call, or run it. */
export interface LaneJob {
  readonly kind: 'preflight' | 'call'
  readonly name: string
  readonly input: unknown
  readonly options: Omit<WireCallOptions, 'jobId'>
  readonly callbacks: Pick<SourceCallOptions, 'onStart' | 'onProgress' | 'onLog'>
}

/** A job under way on a lane. */
export interface RunningJob<Outcome> {
  /** What the worker answered, or that its lane died first. Never rejects. */
  readonly answer: Promise<Outcome | LaneDied>
  /** Resolves when the worker reports that it started the job. */
  readonly started: Promise<void>
  isStarted(): boolean
  /** Asks the worker to stop it. */
  abort(reason: DOMException): void
}

/** The worker was ended while a job was open on it. */
export interface LaneDied {
  readonly kind: 'lane-died'
  readonly started: boolean
}

interface OpenJob {
  readonly job: LaneJob
  started: boolean
  begin(): void
  die(): void
}

let jobCount = 0

/**
 * One live worker. Holds it and its Comlink proxy strongly as long as the lane lives (a proxy that is
 * garbage-collected in mid-call loses the answer), and settles every open job when the worker is ended,
 * which Comlink never does.
 */
export class WorkerLane {
  /** For events and charts. A spare takes the name of the lane that it replaces. */
  name: string
  readonly tools: readonly ManifestEntry[]
  readonly #worker: Worker
  readonly #remote: Remote<WorkerFace>
  readonly #jobs = new Map<string, OpenJob>()
  #dead = false

  constructor(name: string, { worker, tools }: OpenedWorker) {
    this.name = name
    this.tools = tools
    this.#worker = worker
    this.#remote = wrap<WorkerFace>(worker)
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#receive(data))
  }

  get dead(): boolean {
    return this.#dead
  }

  /** How many jobs are open on it. */
  get load(): number {
    return this.#jobs.size
  }

  /** Whether no call runs on it; a preflight may. */
  get idle(): boolean {
    return Array.from(this.#jobs.values()).every(({ job }) => job.kind === 'preflight')
  }

  run<Outcome>(job: LaneJob): RunningJob<Outcome | { kind: 'crash'; error: ErrorData }> {
    jobCount += 1
    const jobId = `job_${jobCount}`
    const { promise: started, resolve: begin } = withResolvers<void>()
    const { promise: died, resolve: die } = withResolvers<LaneDied>()
    const open: OpenJob = {
      job,
      started: false,
      begin,
      die: () => die({ kind: 'lane-died', started: open.started }),
    }
    if (this.#dead) open.die()
    else this.#jobs.set(jobId, open)
    const answer = Promise.race([died, this.#dead ? died : this.#send<Outcome>(job, jobId)])
    return {
      answer: answer.finally(() => this.#jobs.delete(jobId)),
      started,
      isStarted: () => open.started,
      abort: (reason) => this.#abort(jobId, reason),
    }
  }

  /** Ends the worker at once; open jobs get {@link LaneDied}. */
  kill(): void {
    if (this.#dead) return
    this.#dead = true
    this.#worker.terminate()
    for (const open of this.#jobs.values()) open.die()
  }

  async #send<Outcome>(job: LaneJob, jobId: string): Promise<Outcome | { kind: 'crash'; error: ErrorData }> {
    try {
      const answer = await this.#remote[job.kind](job.name, job.input, { ...job.options, jobId })
      return answer as Outcome
    } catch (error) {
      // Comlink says so when the worker's answer could not be cloned; our own check missed it.
      const data = errorToData(error)
      const uncloneable = /unserializable|could not be cloned/i.test(data.message)
      const message = uncloneable
        ? `${job.name}: result cannot be cloned out of the worker; use plain data there`
        : data.message
      return { kind: 'crash', error: { ...data, message, ...(uncloneable ? { code: 'uncloneable' } : {}) } }
    }
  }

  #abort(jobId: string, reason: DOMException): void {
    if (this.#dead) return
    const message: AbortMessage = {
      offstage: protocolVersion,
      type: 'abort',
      jobId,
      reason: reason.name,
      message: reason.message,
    }
    this.#worker.postMessage(message)
  }

  #receive(data: unknown): void {
    if (!isOurMessage(data) || !('jobId' in data)) return
    const open = this.#jobs.get(data.jobId)
    if (open === undefined) return
    if (data.type === 'started') {
      open.started = true
      open.begin()
      open.job.callbacks.onStart?.({ at: data.at, lane: this.name })
    }
    if (data.type === 'progress') open.job.callbacks.onProgress?.(data.value)
    if (data.type === 'log') open.job.callbacks.onLog?.(data.entry)
  }
}
