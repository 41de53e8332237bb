import { Chain } from './chain.ts'

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
  readonly #waiting = new Chain<Deadline>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number) {
    this.#ms = ms
    queues.set(ms, this)
  }

  add(deadline: Deadline): () => void {
    const remove = this.#waiting.add(deadline)
    if (this.#timer === undefined) this.#arm(deadline, this.#ms)
    return () => {
      remove()
      if (this.#waiting.first === undefined) this.#end()
    }
  }

  #arm(first: Deadline, delayMs: number): void {
    this.#timer = setTimeout(() => {
      const passed = performance.now()
      let next = this.#waiting.first
      // What the timer was set for has passed, whatever another clock says.
      while (next !== undefined && (next === first || next.due <= passed)) {
        this.#waiting.removeFirst()
        next.run()
        next = this.#waiting.first
      }
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
