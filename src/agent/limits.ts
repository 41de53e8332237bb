import { checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'

/** What ends a run that does not end by itself. */
export interface RunLimits {
  /** Model requests that may ask for calls; then one last request without tools. @default 20 */
  readonly maxSteps?: number
  /** Calls that may run in the whole run; then one last request without tools. @default no limit */
  readonly maxToolCalls?: number
  /** Calls of one step beyond this many get a `limit` result, and the run goes on. @default 32 */
  readonly maxCallsPerStep?: number
  /** The whole run, in milliseconds; then it ends at once. @default no limit */
  readonly deadlineMs?: number
}

const leastCounts = [
  ['maxSteps', 1],
  ['maxCallsPerStep', 1],
  ['maxToolCalls', 0],
] as const

/** Throws a {@link ToolRegistrationError} for limits that cannot be meant. */
export function checkLimits(limits: RunLimits | undefined, where: string): void {
  if (limits === undefined) return
  checkOptions(limits, [...leastCounts.map(([key]) => key), 'deadlineMs'], `${where}, limits`)
  for (const [key, least] of leastCounts) checkCount(limits[key], least, `${where}, limits.${key}`)
  checkMilliseconds(limits.deadlineMs, 'deadlineMs', `${where}, limits`)
}

function checkCount(value: unknown, least: number, where: string): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return
  if (Number.isInteger(value) && (value as number) >= least) return
  throw new ToolRegistrationError(`${where} is ${String(value)}; give a whole number of at least ${least}.`)
}
