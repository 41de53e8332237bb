import { throwLater } from '../tool/throw-later.ts'

/** Between two tellings of what comes in a stream: one frame, in milliseconds. */
const frameMs = 16

/** Those who follow a store. They are told in a batch: many changes in a row are one telling. */
export class SessionListeners<Value> {
  readonly #listeners = new Set<{ readonly tell: (value: Value) => void }>()
  readonly #read: () => Value
  #isQueued = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #toldAt = Number.NEGATIVE_INFINITY

  constructor(read: () => Value) {
    this.#read = read
  }

  /** Calls the listener with the value now and after each change. Returns the way to stop that. */
  subscribe(listener: (value: Value) => void): () => void {
    const entry = { tell: listener }
    this.#listeners.add(entry)
    listener(this.#read())
    return () => {
      this.#listeners.delete(entry)
    }
  }

  /**
   * Tells everybody, soon: once for all changes of one turn of the event loop, or with `often` once a frame.
   * Browsers hold timers back in a hidden page, so a change that comes a frame later or more does not wait for one.
   */
  changed(often: boolean): void {
    if (this.#isQueued || this.#listeners.size === 0) return
    const wait = often ? this.#toldAt + frameMs - performance.now() : 0
    if (wait > 0) {
      this.#timer ??= setTimeout(() => this.#tell(), wait)
      return
    }
    this.#isQueued = true
    queueMicrotask(() => this.#tell())
  }

  #tell(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isQueued = false
    this.#toldAt = performance.now()
    for (const listener of this.#listeners) {
      try {
        listener.tell(this.#read())
      } catch (error) {
        // One that fails must not cost the others their news, nor the run its end.
        throwLater(error)
      }
    }
  }
}
