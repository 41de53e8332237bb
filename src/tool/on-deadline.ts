interface Deadline {
  /** On the clock of `performance.now()`. */
  readonly due: number
  run(): void
}

/** Queues without a deadline that are kept. */
const maxIdleQueues = 16

/** By their length: those that wait, in the order in which they pass, and the one timer for them. */
const queues = new Map<number, Queue>()

/**
 * Calls `run` in so many milliseconds; returns the way to stop that. Deadlines of one length share a timer: with one
 * for each, setting timers is the dearest part of a step of many calls.
 */
export function onDeadline(ms: number, run: () => void): () => void {
  const queue = queues.get(ms) ?? new Queue(ms)
  return queue.add({ due: performance.now() + ms, run })
}

class Queue {
  readonly #ms: number
  readonly #waiting = new Set<Deadline>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number) {
    this.#ms = ms
    queues.set(ms, this)
  }

  add(deadline: Deadline): () => void {
    this.#waiting.add(deadline)
    if (this.#timer === undefined) this.#arm(deadline, this.#ms)
    return () => {
      if (this.#waiting.delete(deadline) && this.#waiting.size === 0) this.#end()
    }
  }

  #arm(first: Deadline, delayMs: number): void {
    this.#timer = setTimeout(() => {
      const passed = performance.now()
      for (const deadline of this.#waiting) {
        // What the timer was set for has passed, whatever another clock says.
        if (deadline !== first && deadline.due > passed) break
        this.#waiting.delete(deadline)
        deadline.run()
      }
      const [next] = this.#waiting
      if (next === undefined) this.#end()
      else this.#arm(next, next.due - passed)
    }, delayMs)
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // Kept for the next one, but not one for each length there ever was.
    if (queues.size > maxIdleQueues) queues.delete(this.#ms)
  }
}
