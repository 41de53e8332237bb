import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { Usage } from './model-adapter.ts'
import type { RunStep } from './run-result.ts'

/** What a run has done so far, for `stopWhen`. */
export interface RunSoFar {
  /** The steps that ended in this run, or since it was resumed. */
  readonly steps: readonly RunStep[]
  readonly usage: Usage
}

/** What ends a run that does not end by itself. */
export interface RunLimits {
  /** Model requests that may ask for calls; then one last request without tools. @default 20 */
  readonly maxSteps?: number
  /** Calls that may run in the whole run; then one last request without tools. @default no limit */
  readonly maxToolCalls?: number
  /** Calls of one step beyond this many get a `limit` result, and the run goes on. @default 32 */
  readonly maxCallsPerStep?: number
  /** Tokens of all requests together, sent and received; the run ends after the step that uses them up. @default no limit */
  readonly maxTokens?: number
  /** The whole run, in milliseconds; then it ends at once. @default no limit */
  readonly deadlineMs?: number
  /** Asked after each step with calls; `true` ends the run. */
  stopWhen?(run: RunSoFar): boolean | Promise<boolean>
}

const leastCounts = [
  ['maxSteps', 1],
  ['maxCallsPerStep', 1],
  ['maxToolCalls', 0],
  ['maxTokens', 1],
] as const

/** Throws a {@link ToolRegistrationError} for limits that cannot be meant. */
export function checkLimits(limits: RunLimits | undefined, where: string): void {
  if (limits === undefined) return
  const names = [...leastCounts.map(([key]) => key), 'deadlineMs', 'stopWhen']
  checkOptions(limits, names, `${where}, limits`)
  for (const [key, least] of leastCounts) checkCount(limits[key], least, `${where}, limits.${key}`)
  checkMilliseconds(limits.deadlineMs, 'deadlineMs', `${where}, limits`)
  if (limits.stopWhen !== undefined && typeof limits.stopWhen !== 'function') {
    throw new ToolRegistrationError(`${where}, limits.stopWhen: expected a function of the run so far.`)
  }
}
