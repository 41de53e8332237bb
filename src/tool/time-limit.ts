import { onAbort, type Stop, unlessStopped } from './abort.ts'
import type { CallOutcome } from './call-outcome.ts'
import { onDeadline } from './on-deadline.ts'

/** The promise, or `late` when it has not settled after so many milliseconds. */
export function within<T>(promise: Promise<T>, ms: number, late: T): Promise<T> {
  return unlessStopped(promise, (stop) => onDeadline(ms, () => stop(late)))
}

/** How a call ends; it is given up when it has not settled so many milliseconds after its signal aborted. */
export function untilGivenUp(
  outcome: Promise<CallOutcome>,
  signal: Stop,
  graceMs: number,
): Promise<CallOutcome> {
  // As `unlessStopped` does, with less: this is made for each call.
  return new Promise((resolve, reject) => {
    const release = onAbort(signal, () =>
      resolve(within(outcome, graceMs, { kind: 'stopped', mayHaveRun: true, stillRunning: true })),
    )
    outcome.then(
      (ended) => {
        release()
        resolve(ended)
      },
      (error) => {
        release()
        reject(error)
      },
    )
  })
}
