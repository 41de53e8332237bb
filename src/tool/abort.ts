import { Chain } from './chain.ts'
import { onDeadline } from './on-deadline.ts'

/** Given back by {@link untilAborted} instead of a value. */
export const stopped: unique symbol = Symbol('stopped')

type Watchers = Chain<() => void>

const watchersOf = new WeakMap<AbortSignal, Watchers>()

function watch(signal: AbortSignal): Watchers {
  const watchers: Watchers = new Chain()
  watchersOf.set(signal, watchers)
  signal.addEventListener('abort', () => tell(watchers))
  return watchers
}

function tell(watchers: Watchers): void {
  for (let next = watchers.first; next !== undefined; next = watchers.first) {
    watchers.removeFirst()
    next()
  }
}

/** `setTimeout` takes no more; a longer deadline is none. */
export const maxTimerMs = 2_147_483_647

/**
 * Calls `run` when the signal aborts, at once if it has; returns the way to stop that. However many watch one
 * signal, it gets one listener: a step of many calls is no leak, and Node would warn of one.
 */
export function onAbort(signal: Stop, run: () => void): () => void {
  if (signal.aborted) {
    run()
    return () => {}
  }
  const watchers = signal instanceof LinkedAbort ? signal.watchers : (watchersOf.get(signal) ?? watch(signal))
  return watchers.add(run)
}

/** Waits for a promise, but not longer than until the signal aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: Stop): Promise<T | typeof stopped> {
  return unlessStopped<T | typeof stopped>(promise, (stop) => onAbort(signal, () => stop(stopped)))
}

/**
 * Waits for a promise, but not longer than until something else stops the wait.
 *
 * @param watch - Told how to stop it; returns the way to watch no longer.
 */
export function unlessStopped<T>(
  promise: Promise<T>,
  watch: (stop: (instead: T | PromiseLike<T>) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = watch(resolve)
    // Once stopped, nobody waits for it any more: a late rejection is not a failure of the app.
    promise.then(
      (value) => {
        release()
        resolve(value)
      },
      (error) => {
        release()
        reject(error)
      },
    )
  })
}

/** What stops a call: a signal, or what makes one when somebody asks for it. */
export type Stop = AbortSignal | LinkedAbort

/**
 * An own signal that aborts with a given one, by hand, or at a deadline. It is made at the first look: making one is
 * dear, and most calls are over before anybody looked.
 */
export class LinkedAbort {
  aborted = false
  #watchers: Watchers | undefined
  #reason: unknown
  #controller: AbortController | undefined
  #passed = false
  #stopDeadline: (() => void) | undefined
  readonly #unfollow: (() => void) | undefined

  constructor(outer: Stop | undefined) {
    this.#unfollow = outer && onAbort(outer, () => this.abort(outer.reason))
  }

  get reason(): unknown {
    return this.#reason
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.#reason)
      // Only this aborts it, so that no listener is needed.
      watchersOf.set(this.#controller.signal, this.watchers)
    }
    return this.#controller.signal
  }

  abort(reason?: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    if (this.#watchers !== undefined) tell(this.#watchers)
  }

  /** Who is told when it aborts. */
  get watchers(): Watchers {
    this.#watchers ??= new Chain()
    return this.#watchers
  }

  /** Aborts in so many milliseconds from now; `name` is for the reason. An earlier deadline no longer counts. */
  startDeadline(ms: number, name: string): void {
    this.#stopDeadline?.()
    if (this.aborted || ms > maxTimerMs) return
    this.#stopDeadline = onDeadline(ms, () => {
      this.#passed = !this.aborted
      this.abort(new DOMException(`${name} of ${ms} ms passed`, 'TimeoutError'))
    })
  }

  /** Whether a deadline was what aborted it. */
  deadlinePassed(): boolean {
    return this.#passed
  }

  /** Stops following the signal and the clock. */
  release(): void {
    this.#stopDeadline?.()
    this.#unfollow?.()
  }
}

/** See {@link LinkedAbort}. */
export function linkedAbort(outer: Stop | undefined): LinkedAbort {
  return new LinkedAbort(outer)
}

/** The signal of what stops a call, for code that is not the library's: making one is dear. */
export function signalOf(stop: Stop): AbortSignal {
  return stop instanceof LinkedAbort ? stop.signal : stop
}

/** Gives back what it is given, so that its subclass puts its private field there. */
class Itself {
  constructor(to: object) {
    // biome-ignore lint/correctness/noConstructorReturn: that is what it is for
    return to
  }
}

/** Knows what was lent to an object: a copy of the object does not have it. A WeakMap takes three times as long. */
class Lent extends Itself {
  readonly #stop: LinkedAbort

  constructor(to: object, stop: LinkedAbort) {
    super(to)
    this.#stop = stop
  }

  static to(object: object): LinkedAbort | undefined {
    return #stop in object ? object.#stop : undefined
  }
}

const lentSignal = {
  enumerable: true,
  get(this: object): AbortSignal | undefined {
    return Lent.to(this)?.signal
  },
}

/** Gives an object its `signal`, still to be made if it can be. A copy of the object has it made. */
export function lendSignal<T extends object>(to: T, stop: Stop): T & { readonly signal: AbortSignal } {
  if (!(stop instanceof LinkedAbort)) {
    const lending: T & { signal?: AbortSignal } = to
    lending.signal = stop
    return lending as T & { readonly signal: AbortSignal }
  }
  new Lent(to, stop)
  return Object.defineProperty(to, 'signal', lentSignal) as T & { readonly signal: AbortSignal }
}

/** What stops whoever has these options, without having a signal made. */
export function stopOf(options: { readonly signal?: AbortSignal }): Stop | undefined {
  return Lent.to(options) ?? options.signal
}
