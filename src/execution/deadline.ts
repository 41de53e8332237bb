import { linkedAbort } from '../tool/abort.ts'
import type { CallOutcome } from '../tool/call-outcome.ts'
import { errorToData } from '../tool/error-data.ts'
import { untilGivenUp } from '../tool/time-limit.ts'

/** A source that is told to stop and does not settle is given up after this long. In milliseconds. */
const lastResortMs = 2_000

/** How a call under a deadline ended. */
export interface DeadlineOutcome {
  readonly outcome: CallOutcome
  /** Which of the two stopped it, if it was stopped. */
  readonly stoppedBy: 'deadline' | 'signal' | undefined
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
 * called: never while the call waits for a worker lane. A call whose worker was lost through no fault of its
 * own starts again, with a fresh clock.
 */
export async function withDeadline(
  call: (signal: AbortSignal, start: () => void) => Promise<CallOutcome>,
  { timeoutMs, signal }: DeadlineOptions,
): Promise<DeadlineOutcome> {
  if (signal.aborted) return { outcome: { kind: 'stopped', mayHaveRun: false }, stoppedBy: 'signal' }
  const linked = linkedAbort(signal)
  try {
    const start = () => linked.startDeadline(timeoutMs, 'the deadline')
    const running = settled(() => call(linked.signal, start))
    const outcome = await untilGivenUp(running, linked.signal, lastResortMs)
    const by = linked.deadlinePassed() ? 'deadline' : 'signal'
    return { outcome, stoppedBy: linked.signal.aborted ? by : undefined }
  } finally {
    linked.release()
  }
}

async function settled(call: () => Promise<CallOutcome>): Promise<CallOutcome> {
  try {
    return await call()
  } catch (error) {
    const data = errorToData(error)
    // A worker pool that cannot be opened rejects before anything ran.
    return { kind: 'crash', error: data, mayHaveRun: data.name !== 'ToolWorkerError' }
  }
}
