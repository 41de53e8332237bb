import { withResolvers } from '../tool/resolvers.ts'

/** Hands events from callbacks to one async iterator, in order and without loss. */
export class EventQueue<Event> {
  readonly #events: Event[] = []
  #wake: (() => void) | undefined
  #ended = false

  push(event: Event): void {
    this.#events.push(event)
    this.#wake?.()
  }

  /** Ends the iterator once all events are taken. */
  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *drain(): AsyncGenerator<Event, void> {
    let next = 0
    while (true) {
      while (next < this.#events.length) {
        yield this.#events[next] as Event
        next += 1
      }
      this.#events.length = 0
      next = 0
      if (this.#ended) return
      const { promise, resolve } = withResolvers<void>()
      this.#wake = () => resolve()
      await promise
    }
  }
}
