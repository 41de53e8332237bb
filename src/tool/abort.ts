/** Given back by {@link untilAborted} instead of a value. */
export const stopped: unique symbol = Symbol('stopped')

type Watchers = Set<() => void>

const watchersOf = new WeakMap<AbortSignal, Watchers>()

function watch(signal: AbortSignal): Watchers {
  const watchers: Watchers = new Set()
  watchersOf.set(signal, watchers)
  signal.addEventListener('abort', () => tell(watchers))
  return watchers
}

function tell(watchers: Watchers): void {
  for (const watcher of watchers) watcher()
  watchers.clear()
}

/** `setTimeout` takes no more; a longer deadline is none. */
export const maxTimerMs = 2_147_483_647

/**
 * Calls `run` when the signal aborts, at once if it has; returns the way to stop that. However many watch one
 * signal, it gets one listener: a step of many calls is no leak, and Node would warn of one.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  if (signal.aborted) {
    run()
    return () => {}
  }
  const watchers = watchersOf.get(signal) ?? watch(signal)
  watchers.add(run)
  return () => watchers.delete(run)
}

/** Waits for a promise, but not longer than until the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | typeof stopped> {
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () => resolve(stopped))
    // After an abort nobody waits for it any more: a late rejection is not a failure of the app.
    promise.then(resolve, reject).finally(release)
  })
}

/** What {@link linkedAbort} gives. */
export interface LinkedAbort {
  readonly signal: AbortSignal
  abort(reason?: unknown): void
  /** Aborts in so many milliseconds from now; `name` is for the reason. An earlier deadline no longer counts. */
  startDeadline(ms: number, name: string): void
  /** Whether a deadline was what aborted it. */
  deadlinePassed(): boolean
  /** Stops following the signal and the clock. */
  release(): void
}

/** An own signal that aborts with a given one, by hand, or at a deadline. */
export function linkedAbort(outer: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController()
  const { signal } = controller
  // Only this aborts it, so that no listener is needed: adding one costs more than all the rest here.
  const watchers: Watchers = new Set()
  watchersOf.set(signal, watchers)
  const abort = (reason?: unknown) => {
    controller.abort(reason)
    tell(watchers)
  }
  const unfollow = outer && onAbort(outer, () => abort(outer.reason))
  let timer: ReturnType<typeof setTimeout> | undefined
  let passed = false
  return {
    signal,
    abort,
    startDeadline: (ms, name) => {
      clearTimeout(timer)
      if (signal.aborted || ms > maxTimerMs) return
      timer = setTimeout(() => {
        passed = !signal.aborted
        abort(new DOMException(`${name} of ${ms} ms passed`, 'TimeoutError'))
      }, ms)
    },
    deadlinePassed: () => passed,
    release: () => {
      clearTimeout(timer)
      unfollow?.()
    },
  }
}
