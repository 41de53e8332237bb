/** Given back by {@link untilAborted} instead of a value. */
export const stopped: unique symbol = Symbol('stopped')

const watchers = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `run` when the signal aborts; returns the way to stop that. However many watch one signal, it gets
 * one listener: a step of many calls is no leak, and Node would warn of one.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  let watching = watchers.get(signal)
  if (watching === undefined) {
    const created = new Set<() => void>()
    signal.addEventListener('abort', () => {
      for (const watcher of created) watcher()
      created.clear()
    })
    watchers.set(signal, created)
    watching = created
  }
  const all = watching
  all.add(run)
  return () => all.delete(run)
}

/** Waits for a promise, but not longer than until the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof stopped> {
  if (signal.aborted) {
    // Nobody waits for it any more; a late rejection is not a failure of the app.
    promise.catch(() => {})
    return Promise.resolve(stopped)
  }
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => resolve(stopped))
    promise.then(
      (value) => {
        release()
        resolve(value)
      },
      (error: unknown) => {
        release()
        reject(error)
      },
    )
  })
}

/** A controller that aborts with a given signal; `release` stops following it. */
export function linkedController(signal: AbortSignal | undefined): {
  readonly controller: AbortController
  release(): void
} {
  const controller = new AbortController()
  if (signal === undefined) return { controller, release: () => {} }
  if (signal.aborted) controller.abort(signal.reason)
  return { controller, release: onAbort(signal, () => controller.abort(signal.reason)) }
}
