import { closedError } from './load-error.ts'
import { openWorker, type WorkerFactory } from './open-worker.ts'
import type { ManifestEntry } from './protocol.ts'
import { type EndReason, WorkerLane } from './worker-lane.ts'

/** How a pool is made. */
export interface WorkerPoolOptions {
  readonly factory: WorkerFactory
  /** How many lanes serve parallel-safe calls. @default {@link defaultSize} */
  readonly size: number | undefined
  readonly readyTimeoutMs: number
  /** Told the tools of every worker that becomes a lane; a spare only once it has taken over. */
  onOpen(tools: readonly ManifestEntry[]): void
}

/** A lane that could not be opened again is tried again after this long at the earliest. In milliseconds. */
const reopenAfterMs = 1_000

/** After a spare was used, a new one is started this much later. In milliseconds. */
const spareDelayMs = 100

/** What a lane is wanted for: a parallel-safe call, any other job, or a look at a parallel-safe call. */
export type LanePlace = 'parallel' | 'serial' | 'idle'

/** A place in the pool. Its worker may be starting, live, or gone. */
interface Slot {
  readonly name: string
  lane?: WorkerLane
  opening: Promise<WorkerLane>
  failedAt?: number
}

/**
 * The workers of a toolset: `size` lanes for parallel-safe calls, the least busy first; one more for all
 * others, which keeps their state, once it is needed; and a spare that takes over at once when a worker had
 * to be ended. Calls are looked at where no call runs, so that a check neither waits for one nor endangers it.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #closing = new AbortController()
  #lanes: Slot[] = []
  #serial: Slot | undefined
  #spare: Slot | undefined
  #spareFailedAt = Number.NEGATIVE_INFINITY

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Opens the lanes. Rejects, with nothing left running, when one of them does not become ready. */
  async start(): Promise<void> {
    const length = this.#options.size ?? defaultSize()
    this.#lanes = Array.from({ length }, (_, index) => this.#open(`lane-${index + 1}`))
    try {
      await Promise.all(this.#lanes.map((slot) => slot.opening))
      // By somebody who was told what the lanes offer.
      if (this.#closing.signal.aborted) throw closedError()
    } catch (error) {
      this.close()
      throw error
    }
    this.#prepareSpare()
  }

  /** Ends every worker, also those that are still starting; open jobs settle as lane-died. */
  close(): void {
    this.#closing.abort()
    for (const slot of [...this.#lanes, this.#serial, this.#spare]) slot?.lane?.kill('closed')
  }

  /**
   * A lane to run a job on, or a promise after which to ask again. The lane must be used at once: who asks
   * next counts the job as open on it. Rejects, or throws when closed, with a {@link ToolWorkerError}.
   */
  pick(place: LanePlace): WorkerLane | Promise<unknown> {
    if (this.#closing.signal.aborted) throw closedError()
    if (place === 'serial') return this.#pickSerial()
    return place === 'idle' ? this.#pickIdle() : this.#pickParallel()
  }

  /** Whether a call that is sent now waits for no other. */
  get hasIdleLane(): boolean {
    return this.#liveLanes().some((lane) => lane.load === 0)
  }

  #pickParallel(): WorkerLane | Promise<unknown> {
    for (const slot of this.#lanes) if (mayReopen(slot.failedAt)) this.#reopen(slot)
    const best = leastBusy(this.#liveLanes())
    if (best !== undefined) return best
    // With none left, nothing is gained by waiting. One try is shared by all calls that wait for it.
    const [first] = this.#lanes
    if (first !== undefined && this.#lanes.every((slot) => slot.failedAt !== undefined)) this.#reopen(first)
    return Promise.any(this.#lanes.map((slot) => slot.opening)).catch((error: AggregateError) => {
      throw error.errors[0]
    })
  }

  #pickSerial(): WorkerLane | Promise<unknown> {
    if (this.#serial === undefined || this.#serial.failedAt !== undefined) {
      this.#serial = this.#takeOver('serial')
    }
    return this.#serial.lane ?? this.#serial.opening
  }

  #pickIdle(): WorkerLane | Promise<unknown> {
    const idle = leastBusy(this.#liveLanes().filter((lane) => lane.idle))
    if (idle !== undefined) return idle
    if (this.#spare === undefined) {
      // Better to wait for a lane than to fail a call whose tools are there.
      if (!mayReopen(this.#spareFailedAt)) return this.#pickParallel()
      this.#spare = this.#open('spare')
    }
    return this.#spare.lane ?? this.#spare.opening.catch(() => {})
  }

  /** Ends a lane's worker and lets the spare take its place. */
  kill(lane: WorkerLane, why: EndReason): void {
    lane.kill(why)
    if (this.#closing.signal.aborted) return
    const index = this.#lanes.findIndex((slot) => slot.lane === lane)
    if (index >= 0) this.#lanes[index] = this.#takeOver(lane.name)
    if (this.#serial?.lane === lane) this.#serial = undefined
    if (this.#spare?.lane === lane) this.#spare = undefined
    this.#prepareSpareLater()
  }

  #liveLanes(): WorkerLane[] {
    return this.#lanes.flatMap(({ lane }) => (lane === undefined || lane.dead ? [] : [lane]))
  }

  #open(name: string): Slot {
    return this.#watch({ name, opening: this.#openLane(name) })
  }

  #reopen(slot: Slot): void {
    delete slot.failedAt
    slot.opening = this.#openLane(slot.name)
    this.#watch(slot)
  }

  #watch(slot: Slot): Slot {
    slot.opening.then(
      (lane) => {
        slot.lane = lane
        // Whoever is told may close the pool; by now that ends this lane too.
        if (slot !== this.#spare) this.#options.onOpen(lane.tools)
      },
      () => {
        // Whoever waits for the slot gets the reason; nobody may be waiting.
        slot.failedAt = performance.now()
        if (this.#spare !== slot) return
        this.#spare = undefined
        this.#spareFailedAt = slot.failedAt
      },
    )
    return slot
  }

  async #openLane(name: string): Promise<WorkerLane> {
    const { factory, readyTimeoutMs } = this.#options
    const { signal } = this.#closing
    const opened = await openWorker(factory, { readyTimeoutMs, signal })
    const lane = new WorkerLane(name, opened, (stuck, why) => this.kill(stuck, why))
    if (signal.aborted) {
      lane.kill('closed')
      throw closedError()
    }
    return lane
  }

  /** The spare under a new name, or a fresh worker when there is none. */
  #takeOver(name: string): Slot {
    const spare = this.#spare
    if (spare === undefined) return this.#open(name)
    this.#spare = undefined
    const rename = (lane: WorkerLane): WorkerLane => {
      lane.name = name
      return lane
    }
    const slot: Slot = { name, opening: spare.opening.then(rename) }
    if (spare.lane !== undefined) slot.lane = rename(spare.lane)
    this.#prepareSpareLater()
    return this.#watch(slot)
  }

  // Starting a worker takes a core, which the calls that go on now need more.
  #prepareSpareLater(): void {
    setTimeout(() => this.#prepareSpare(), spareDelayMs)
  }

  #prepareSpare(): void {
    whenIdle(() => {
      if (!this.#closing.signal.aborted) this.#spare ??= this.#open('spare')
    })
  }
}

function mayReopen(failedAt: number | undefined): boolean {
  return failedAt !== undefined && performance.now() - failedAt > reopenAfterMs
}

function leastBusy(lanes: readonly WorkerLane[]): WorkerLane | undefined {
  return lanes.toSorted((a, b) => a.load - b.load)[0]
}

// Two cores still get two lanes: one blocked by a computation must not stop the others.
function defaultSize(): number {
  const cores = globalThis.navigator?.hardwareConcurrency ?? 2
  return Math.min(4, Math.max(2, cores - 1))
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 1_000 })
  else setTimeout(run, 200)
}
