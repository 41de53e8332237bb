/** Why a run cannot be saved or resumed. */
export type RunStateErrorCode =
  /** Somebody else has saved the run since it was loaded: load it again. */
  | 'stale'
  /** Another tab, or another call in this one, is running it: wait until that is over. */
  | 'in-use'
  /** The run has ended: nothing of it can be answered any more. */
  | 'finished'
  /** An answer is for a call that the run does not wait for. */
  | 'unknown-call'
  /** The state is of a version that this library does not read. */
  | 'version'
  /** The state is not one that this library made. */
  | 'invalid'

/** A run cannot be saved or resumed. The message says why and what to do next. Nothing was run. */
export class RunStateError extends Error {
  readonly code: RunStateErrorCode

  constructor(message: string, code: RunStateErrorCode, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'RunStateError'
    this.code = code
  }
}

/** The error about a run that is over. */
export function hasEnded(runId: string): RunStateError {
  return new RunStateError(
    `The run "${runId}" has ended, nothing of it waits for an answer. Start a new run with its messages.`,
    'finished',
  )
}

/** What a session cannot do while one of its runs goes on. */
export function isGoingOn(what: string): RunStateError {
  return new RunStateError(
    `${what}: a run is going on. Call stop() first, or wait until the status is no longer "running".`,
    'in-use',
  )
}
