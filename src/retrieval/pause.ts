/**
 * Lets the page, or the worker, do what waits: input, drawing, timers, messages. Not `scheduler.yield()`: what goes on after
 * it comes before all timers and messages, and these would wait for the end of the whole work. Nor a timer, which waits
 * four milliseconds each time.
 */
function pause(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/**
 * How long work may go on before the page has its turn. In milliseconds: what is added to it at the worst, by a pause of
 * the garbage collection, takes longer.
 */
const sliceMs = 3

/** Pauses when the slice is used up; call it after each small piece of work. */
export class WorkSlices {
  #until = performance.now() + sliceMs

  async next(): Promise<void> {
    if (performance.now() < this.#until) return
    await pause()
    this.#until = performance.now() + sliceMs
  }
}
