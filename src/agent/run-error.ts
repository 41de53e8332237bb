import type { RunResult } from './run-result.ts'

/**
 * A run that did not come to an end of its own. `name` is `AbortError` when its signal aborted, else
 * `RunError` (the model failed); `cause` holds what was behind it.
 */
export class RunError extends Error {
  /** What the run had done by then; its history is valid and can be continued. */
  readonly result: RunResult

  constructor(
    message: string,
    result: RunResult,
    options: { readonly aborted: boolean; readonly cause: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = options.aborted ? 'AbortError' : 'RunError'
    this.result = result
  }
}
