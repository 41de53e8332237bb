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
    while (true) {
      // Those that come meanwhile are taken too.
      for (const event of this.#events) yield event
      this.#events.length = 0
      if (this.#ended) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
