import { now } from '../tool/clock.ts'
import { ToolWorkerError } from '../tool/errors.ts'
import { openWorker, type WorkerFactory } from './open-worker.ts'
import type { ManifestEntry } from './protocol.ts'
import { WorkerLane } from './worker-lane.ts'

/** How a pool is made. */
export interface WorkerPoolOptions {
  readonly factory: WorkerFactory
  /** How many lanes serve parallel-safe calls. */
  readonly size: number
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
  #lanes: Slot[] = []
  #serial: Slot | undefined
  #spare: Slot | undefined
  #closed = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** Opens the lanes. Rejects, with nothing left running, when one of them does not become ready. */
  async start(): Promise<void> {
    this.#lanes = Array.from({ length: this.#options.size }, (_, index) => this.#open(`lane-${index + 1}`))
    try {
      await Promise.all(this.#lanes.map((slot) => slot.opening))
    } catch (error) {
      this.close()
      throw error
    }
    this.#prepareSpare()
  }

  /** Ends every worker; open jobs settle as lane-died. */
  close(): void {
    this.#closed = true
    for (const slot of [...this.#lanes, this.#serial, this.#spare]) slot?.lane?.kill()
  }

  /** The least busy lane for a parallel-safe call. */
  async parallelLane(): Promise<WorkerLane> {
    for (const slot of this.#lanes) this.#reopenLater(slot)
    const live = this.#lanes.flatMap((slot) => (slot.lane === undefined ? [] : [slot.lane]))
    const best = leastBusy(live)
    if (best !== undefined) return best
    try {
      return await Promise.any(this.#lanes.map((slot) => slot.opening))
    } catch {
      // All are gone: this call tries to bring one back, and fails with the reason if it cannot.
      const slot = this.#open('lane-1')
      this.#lanes[0] = slot
      return slot.opening
    }
  }

  /** The one lane for calls that are not parallel-safe. It keeps their state. */
  serialLane(): Promise<WorkerLane> {
    if (this.#serial === undefined || this.#serial.failedAt !== undefined)
      this.#serial = this.#takeOver('serial')
    return this.#serial.opening
  }

  /** A lane on which no call runs, so that a preflight neither waits nor endangers one. */
  async idleLane(): Promise<WorkerLane> {
    const idle = this.#lanes.flatMap(({ lane }) => (lane?.idle ? [lane] : []))
    const best = leastBusy(idle)
    if (best !== undefined) return best
    if (this.#spare === undefined || this.#spare.failedAt !== undefined) this.#spare = this.#open('spare')
    return this.#spare.opening
  }

  /** Ends a lane's worker and lets the spare take its place. */
  kill(lane: WorkerLane): void {
    lane.kill()
    if (this.#closed) return
    const index = this.#lanes.findIndex((slot) => slot.lane === lane)
    if (index >= 0) this.#lanes[index] = this.#takeOver(lane.name)
    if (this.#serial?.lane === lane) this.#serial = undefined
    if (this.#spare?.lane === lane) this.#spare = undefined
    this.#prepareSpare()
  }

  #open(name: string): Slot {
    const slot: Slot = { name, opening: this.#openLane(name) }
    watch(slot)
    return slot
  }

  async #openLane(name: string): Promise<WorkerLane> {
    const opened = await openWorker(this.#options.factory, this.#options.readyTimeoutMs)
    const lane = new WorkerLane(name, opened)
    if (this.#closed) {
      lane.kill()
      throw new ToolWorkerError(
        'The WorkerToolset was closed while a worker started. Call start() to open it again.',
        'closed',
      )
    }
    this.#options.onOpen(opened.tools)
    return lane
  }

  /** The spare under a new name, or a fresh worker when there is none. */
  #takeOver(name: string): Slot {
    const spare = this.#spare
    if (spare === undefined || spare.failedAt !== undefined) return this.#open(name)
    this.#spare = undefined
    const opening = spare.opening.then((lane) => {
      lane.name = name
      return lane
    })
    const slot: Slot = { name, opening }
    if (spare.lane !== undefined) {
      spare.lane.name = name
      slot.lane = spare.lane
    }
    watch(slot)
    this.#prepareSpare()
    return slot
  }

  #prepareSpare(): void {
    whenIdle(() => {
      if (!this.#closed && this.#spare === undefined) this.#spare = this.#open('spare')
    })
  }

  #reopenLater(slot: Slot): void {
    if (slot.failedAt === undefined || now() - slot.failedAt < reopenAfterMs) return
    delete slot.failedAt
    slot.opening = this.#openLane(slot.name)
    watch(slot)
  }
}

function watch(slot: Slot): void {
  slot.opening.then(
    (lane) => {
      slot.lane = lane
    },
    () => {
      // Whoever waits for the slot gets the reason; nobody may be waiting.
      slot.failedAt = now()
    },
  )
}

function leastBusy(lanes: readonly WorkerLane[]): WorkerLane | undefined {
  return lanes.filter((lane) => !lane.dead).sort((a, b) => a.load - b.load)[0]
}

function whenIdle(run: () => void): void {
  // Safari has no requestIdleCallback.
  if (typeof requestIdleCallback === 'function') requestIdleCallback(run, { timeout: 1_000 })
  else setTimeout(run, 200)
}
