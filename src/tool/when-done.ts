/** What most often is there at once: a wait for it may take longer than making it. */
export type MaybePromise<T> = T | Promise<T>

/** Whether a value is yet to come. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | null | undefined)?.then === 'function'
}

/** Goes on with a value: now if it is there, otherwise once it is. */
export function whenDone<T, Next>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Next>,
): MaybePromise<Next> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** What is made, or what takes its place when that throws or rejects. */
export function orElse<T>(make: () => MaybePromise<T>, failed: (error: unknown) => T): MaybePromise<T> {
  try {
    const made = make()
    return isPromise(made) ? made.then(undefined, failed) : made
  } catch (error) {
    return failed(error)
  }
}
