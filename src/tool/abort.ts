/** Given back by {@link untilAborted} instead of a value. */
export const stopped: unique symbol = Symbol('stopped')

/** Waits for a promise, but not longer than until the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof stopped> {
  if (signal.aborted) {
    // Nobody waits for it any more; a late rejection is not a failure of the app.
    promise.catch(() => {})
    return Promise.resolve(stopped)
  }
  return new Promise((resolve, reject) => {
    const stop = () => resolve(stopped)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** A controller that aborts with any of the given signals; `release` stops listening to them. */
export function linkedController(...signals: (AbortSignal | undefined)[]): {
  readonly controller: AbortController
  release(): void
} {
  const controller = new AbortController()
  const stops: (() => void)[] = []
  for (const signal of signals) {
    if (signal === undefined) continue
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    stops.push(() => signal.removeEventListener('abort', abort))
  }
  return {
    controller,
    release: () => {
      for (const stop of stops) stop()
    },
  }
}
