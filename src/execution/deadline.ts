import { linkedController, onAbort } from '../tool/abort.ts'
import type { CallOutcome } from '../tool/call-outcome.ts'
import { errorToData } from '../tool/error-data.ts'

/** A source that is told to stop and does not settle is given up after this long. In milliseconds. */
const lastResortMs = 2_000

/** `setTimeout` takes no more; a longer deadline is none. */
const maxTimerMs = 2_147_483_647

/** How a call under a deadline ended. */
export interface DeadlineOutcome {
  readonly outcome: CallOutcome
  /** Which of the two stopped it, if it was stopped. */
  readonly stoppedBy?: 'deadline' | 'signal'
}

/** One execution under one deadline. */
export interface DeadlineOptions {
  /** In milliseconds, counted from `start`. */
  readonly timeoutMs: number
  /** The run's signal. */
  readonly signal: AbortSignal
}

/**
 * Runs a call under a deadline and the run's signal, and always settles. The clock starts when `start` is
 * called: never while the call waits for a worker lane.
 */
export async function withDeadline(
  call: (signal: AbortSignal, start: () => void) => Promise<CallOutcome>,
  { timeoutMs, signal }: DeadlineOptions,
): Promise<DeadlineOutcome> {
  const { controller, release } = linkedController(signal)
  let deadline: ReturnType<typeof setTimeout> | undefined
  let lastResort: ReturnType<typeof setTimeout> | undefined
  let stoppedBy: 'deadline' | 'signal' | undefined
  const start = () => {
    if (timeoutMs > maxTimerMs || controller.signal.aborted) return
    // A call whose worker was lost through no fault of its own starts again, with a fresh clock.
    clearTimeout(deadline)
    deadline = setTimeout(() => {
      stoppedBy = 'deadline'
      controller.abort(new DOMException(`the deadline of ${timeoutMs} ms passed`, 'TimeoutError'))
    }, timeoutMs)
  }
  const givenUp = new Promise<CallOutcome>((resolve) => {
    onAbort(controller.signal, () => {
      stoppedBy ??= 'signal'
      lastResort = setTimeout(
        () => resolve({ kind: 'stopped', mayHaveRun: true, stillRunning: true }),
        lastResortMs,
      )
    })
  })
  try {
    if (signal.aborted) return { outcome: { kind: 'stopped', mayHaveRun: false }, stoppedBy: 'signal' }
    const outcome = await Promise.race([settled(call(controller.signal, start)), givenUp])
    return stoppedBy === undefined ? { outcome } : { outcome, stoppedBy }
  } finally {
    clearTimeout(deadline)
    clearTimeout(lastResort)
    release()
  }
}

async function settled(outcome: Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await outcome
  } catch (error) {
    const data = errorToData(error)
    // A worker pool that cannot be opened rejects before anything ran.
    return { kind: 'crash', error: data, mayHaveRun: data.name !== 'ToolWorkerError' }
  }
}
