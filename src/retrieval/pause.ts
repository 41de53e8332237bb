/** Lets the page, or the worker, do what waits: input, drawing, messages. */
export function pause(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  if (typeof scheduler?.yield === 'function') return scheduler.yield()
  // A timer would wait four milliseconds each time.
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}

/** How long work may go on before the page has its turn. In milliseconds. */
const sliceMs = 6

/** Pauses when the slice is used up; call it after each small piece of work. */
export class WorkSlices {
  #until = performance.now() + sliceMs

  async next(): Promise<void> {
    if (performance.now() < this.#until) return
    await pause()
    this.#until = performance.now() + sliceMs
  }
}
