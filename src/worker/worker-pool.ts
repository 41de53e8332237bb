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
  /** Told the tools of every worker that opens. */
  onOpen(tools: readonly ManifestEntry[]): void
}

/** A lane that could not be opened again is tried again after this long at the earliest. In milliseconds. */
const reopenAfterMs = 1_000

/** A place in the pool. Its worker may be starting, live, or gone. */
interface Slot {
  readonly name: string
  lane?: WorkerLane
  opening: Promise<WorkerLane>
  failedAt?: number
}

/**
 * The workers of a toolset: `size` lanes for parallel-safe calls, one more for all others once it is
 * needed, and a spare that takes over at once when a worker had to be ended.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #closing = new AbortController()
  #lanes: Slot[] = []
  #serial: Slot | undefined
  #spare: Slot | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Opens the lanes. Rejects, with nothing left running, when one of them does not become ready. */
  async start(): Promise<void> {
    const length = this.#options.size ?? defaultSize()
    this.#lanes = Array.from({ length }, (_, index) => this.#open(`lane-${index + 1}`))
    try {
      await Promise.all(this.#lanes.map((slot) => slot.opening))
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

  /** The least busy lane for a parallel-safe call. */
  async parallelLane(): Promise<WorkerLane> {
    this.#checkOpen()
    for (const slot of this.#lanes) {
      if (slot.failedAt !== undefined && performance.now() - slot.failedAt > reopenAfterMs) this.#reopen(slot)
    }
    const best = leastBusy(this.#liveLanes())
    if (best !== undefined) return best
    // With none left, nothing is gained by waiting. One try is shared by all calls that wait for it.
    const [first] = this.#lanes
    if (first !== undefined && this.#lanes.every((slot) => slot.failedAt !== undefined)) this.#reopen(first)
    try {
      return await Promise.any(this.#lanes.map((slot) => slot.opening))
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  /** The one lane for calls that are not parallel-safe. It keeps their state. */
  async serialLane(): Promise<WorkerLane> {
    this.#checkOpen()
    if (this.#serial === undefined || this.#serial.failedAt !== undefined)
      this.#serial = this.#takeOver('serial')
    return this.#serial.opening
  }

  /** A lane on which no call runs, so that a preflight neither waits nor endangers one. */
  async idleLane(): Promise<WorkerLane> {
    while (true) {
      this.#checkOpen()
      const idle = leastBusy(this.#liveLanes().filter((lane) => lane.idle))
      if (idle !== undefined) return idle
      this.#spare ??= this.#open('spare')
      const { lane, opening } = this.#spare
      if (lane?.idle) return lane
      try {
        // It may get another job, or another place, by the time it is open.
        await opening
      } catch {
        // Better to wait for a lane than to fail a call whose tools are there.
        return this.parallelLane()
      }
    }
  }

  /** Ends a lane's worker and lets the spare take its place. */
  kill(lane: WorkerLane, why: EndReason): void {
    lane.kill(why)
    if (this.#closing.signal.aborted) return
    const index = this.#lanes.findIndex((slot) => slot.lane === lane)
    if (index >= 0) this.#lanes[index] = this.#takeOver(lane.name)
    if (this.#serial?.lane === lane) this.#serial = undefined
    if (this.#spare?.lane === lane) this.#spare = undefined
    this.#prepareSpare()
  }

  #checkOpen(): void {
    if (this.#closing.signal.aborted) throw closedError()
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
      },
      () => {
        // Whoever waits for the slot gets the reason; nobody may be waiting.
        slot.failedAt = performance.now()
        if (this.#spare === slot) this.#spare = undefined
      },
    )
    return slot
  }

  async #openLane(name: string): Promise<WorkerLane> {
    const { factory, readyTimeoutMs, onOpen } = this.#options
    const { signal } = this.#closing
    const { worker, tools } = await openWorker(factory, { readyTimeoutMs, signal })
    const lane = new WorkerLane(name, worker, (stuck, why) => this.kill(stuck, why))
    if (signal.aborted) {
      lane.kill('closed')
      throw closedError()
    }
    onOpen(tools)
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
    this.#prepareSpare()
    return this.#watch(slot)
  }

  #prepareSpare(): void {
    whenIdle(() => {
      if (!this.#closing.signal.aborted) this.#spare ??= this.#open('spare')
    })
  }
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
