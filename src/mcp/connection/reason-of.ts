import type { Stop } from '../../tool/abort.ts'

/** Why it was aborted. */
export function reasonOf(stop: Stop): unknown {
  return stop instanceof AbortSignal ? stop.reason : stop.signal.reason
}
