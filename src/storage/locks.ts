/** Whether the lock was free; if so, what was done while it was held. */
export type HeldLock<T> = { readonly held: true; readonly value: T } | { readonly held: false }

// Where there are no Web Locks (a server, an insecure page) there is no shared storage to guard either: it is
// enough to keep the runs of this realm apart.
const heldHere = new Set<string>()

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
    if (answered || !isSecurityError(error)) throw error
    return holdHere(name, run)
  }
}

/** Whether somebody on this origin holds the lock now. A moment later that may have changed. */
export async function isLocked(name: string): Promise<boolean> {
  if (heldHere.has(name)) return true
  try {
    const { held = [] } = (await webLocks()?.query()) ?? {}
    return held.some((lock) => lock.name === lockName(name))
  } catch (error) {
    if (isSecurityError(error)) return false
    throw error
  }
}

async function holdHere<T>(name: string, run: () => Promise<T>): Promise<HeldLock<T>> {
  if (heldHere.has(name)) return { held: false }
  heldHere.add(name)
  try {
    return { held: true, value: await run() }
  } finally {
    heldHere.delete(name)
  }
}

function webLocks(): LockManager | undefined {
  // Missing on a server and in insecure pages, whatever the DOM's types say.
  return (globalThis.navigator as Partial<Navigator> | undefined)?.locks
}

function lockName(name: string): string {
  return `offstage:${name}`
}

function isSecurityError(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError'
}
