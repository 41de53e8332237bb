import { stopped, untilAborted } from './abort.ts'
import type { CallOutcome } from './call-outcome.ts'

/** The promise, or `late` when it has not settled after so many milliseconds. */
export function within<T>(promise: Promise<T>, ms: number, late: T): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<T>((resolve) => {
    timer = setTimeout(resolve, ms, late)
  })
  return Promise.race([promise, silence]).finally(() => clearTimeout(timer))
}

/** How a call ends; it is given up when it has not settled so many milliseconds after its signal aborted. */
export async function untilGivenUp(
  outcome: Promise<CallOutcome>,
  signal: AbortSignal,
  graceMs: number,
): Promise<CallOutcome> {
  const settled = await untilAborted(outcome, signal)
  if (settled !== stopped) return settled
  return within(outcome, graceMs, { kind: 'stopped', mayHaveRun: true, stillRunning: true })
}
