import { now } from '../tool/clock.ts'

/** Between the starts of two refreshes that a server asked for, in milliseconds; it doubles while they change nothing. */
export const minGapMs = 1_000
/** @see minGapMs */
export const maxGapMs = 60_000

/** Reads something again when it is told that it may have changed, however often that is. */
export interface PacedRefresh {
  /** It may have changed: one refresh follows, at once or when the gap is over. */
  request(): void
  /** Whether something may have changed that no refresh has read yet. */
  readonly due: boolean
  /**
   * Reads it now, whatever the gap, and resolves when what was true at this moment has been read.
   *
   * @throws What the reading throws.
   */
  now(): Promise<void>
  /** Nothing may have changed any more: what follows is forgotten. */
  forget(): void
}

/**
 * Refreshes in answer to a storm of requests: at most one is running and one follows it. Steady noise is met with a
 * gap that grows as long as nothing changes.
 *
 * @param refresh - Reads anew; resolves to whether anything has changed.
 */
export function pacedRefresh(refresh: () => Promise<boolean>): PacedRefresh {
  let running: Promise<void> | undefined
  let following: Promise<void> | undefined
  let due = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let gapMs = minGapMs
  let lastStart = Number.NEGATIVE_INFINITY

  const run = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    due = false
    lastStart = now()
    let changed = false
    try {
      changed = await refresh()
    } catch (error) {
      due = true
      throw error
    } finally {
      gapMs = changed ? minGapMs : Math.min(gapMs * 2, maxGapMs)
      running = undefined
      if (due) schedule()
    }
  }
  const start = (): Promise<void> => {
    running = run()
    return running
  }
  const schedule = (): void => {
    if (running !== undefined || timer !== undefined) return
    const waitMs = lastStart + gapMs - now()
    if (waitMs > 0) timer = setTimeout(() => start().catch(() => {}), waitMs)
    else start().catch(() => {})
  }
  return {
    request: () => {
      due = true
      schedule()
    },
    get due() {
      return due || running !== undefined
    },
    now: () => {
      if (running === undefined) return start()
      // What is being read may have been read too early already.
      following ??= running
        .catch(() => {})
        .then(() => {
          following = undefined
          return running ?? start()
        })
      return following
    },
    forget: () => {
      due = false
      clearTimeout(timer)
      timer = undefined
    },
  }
}
