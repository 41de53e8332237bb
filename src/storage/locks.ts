import { linkedAbort, stopped, untilAborted } from '../tool/abort.ts'
import { withResolvers } from '../tool/resolvers.ts'
import { isNamed } from './browser-fault.ts'
import { StorageError } from './storage-error.ts'

/** Whether the lock was free; if so, what was done while it was held. */
export type HeldLock<T> = { readonly held: true; readonly value: T } | { readonly held: false }

// Where there are no Web Locks (a server, an insecure page) there is no shared storage to guard either: it is
// enough to keep the runs of this realm apart.
const heldHere = new Map<string, Promise<void>>()

/**
 * Calls `run` while nobody else on this origin holds the lock: no other tab, no worker, no other call in this
 * one. Does not wait: when somebody has it, `run` is not called. The lock is free again when `run` is over, and when
 * its tab is closed or crashes. Rejects as `run` does.
 */
export async function holdLock<T>(name: string, run: () => Promise<T>): Promise<HeldLock<T>> {
  const locks = webLocks()
  if (locks === undefined) return holdHere(name, run)
  let answered = false
  try {
    return await locks.request(lockName(name), { ifAvailable: true }, async (lock): Promise<HeldLock<T>> => {
      answered = true
      return lock === null ? { held: false } : { held: true, value: await run() }
    })
  } catch (error) {
    // A page without an origin (a sandboxed frame) has the locks but may not use them.
    if (answered || !isNamed(error, 'SecurityError')) throw error
    return holdHere(name, run)
  }
}

/** How long somebody waits for a lock. */
export interface LockWait {
  /** In milliseconds. */
  readonly timeoutMs: number
  /** Ends the wait; not what is done under the lock. */
  readonly signal?: AbortSignal | undefined
}

/**
 * As {@link holdLock}, but waits until the lock is free, in turn.
 *
 * @throws {@link StorageError} with code `locked` when it was not free in time; the signal's reason; and what `run`
 * throws.
 */
export async function waitForLock<T>(
  name: string,
  run: () => Promise<T>,
  { timeoutMs, signal }: LockWait,
): Promise<T> {
  const stop = linkedAbort(signal)
  stop.startDeadline(timeoutMs, 'the wait for a lock')
  let granted = false
  const runGranted = () => {
    granted = true
    stop.release()
    return run()
  }
  try {
    return await requestLock(name, runGranted, stop.signal)
  } catch (error) {
    if (granted) throw error
    throw stop.deadlinePassed() ? lockedError(timeoutMs, error) : error
  } finally {
    stop.release()
  }
}

/** Says that somebody else has what was waited for. */
export function lockedError(timeoutMs: number, cause: unknown): StorageError {
  return new StorageError(
    `Another tab or worker is at work on the same file and did not finish within ${timeoutMs} ms; nothing was changed. Try again, or close the other tab.`,
    'locked',
    { cause },
  )
}

/** Whether somebody on this origin holds the lock now. A moment later that may have changed. */
export async function isLocked(name: string): Promise<boolean> {
  if (heldHere.has(name)) return true
  try {
    const { held = [] } = (await webLocks()?.query()) ?? {}
    return held.some((lock) => lock.name === lockName(name))
  } catch (error) {
    if (isNamed(error, 'SecurityError')) return false
    throw error
  }
}

async function holdHere<T>(name: string, run: () => Promise<T>): Promise<HeldLock<T>> {
  if (heldHere.has(name)) return { held: false }
  const { promise, resolve } = withResolvers<void>()
  heldHere.set(name, promise)
  try {
    return { held: true, value: await run() }
  } finally {
    heldHere.delete(name)
    resolve()
  }
}

async function requestLock<T>(name: string, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const locks = webLocks()
  if (locks === undefined) return waitHere(name, run, signal)
  let granted = false
  const runGranted = () => {
    granted = true
    return run()
  }
  try {
    return await locks.request(lockName(name), { signal }, runGranted)
  } catch (error) {
    // See holdLock.
    if (granted || !isNamed(error, 'SecurityError')) throw error
    return waitHere(name, run, signal)
  }
}

async function waitHere<T>(name: string, run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let holder = heldHere.get(name); holder !== undefined; holder = heldHere.get(name)) {
    if ((await untilAborted(holder, signal)) === stopped) throw signal.reason
  }
  signal.throwIfAborted()
  const result = await holdHere(name, run)
  if (!result.held) throw new Error('unreachable: nobody comes between the check and the lock')
  return result.value
}

function webLocks(): LockManager | undefined {
  // Missing on a server and in insecure pages, whatever the DOM's types say.
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks
}

function lockName(name: string): string {
  return `offstage:${name}`
}
