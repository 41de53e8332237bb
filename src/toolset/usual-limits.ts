import { checkCount, checkMilliseconds } from '../tool/check-options.ts'
import { leastResultChars } from '../tool/option-rules.ts'

/** Limits of a group of tools, for those that set none themselves. */
export interface UsualLimits {
  /** Deadline of one call, in milliseconds. @default the agent's */
  readonly timeoutMs?: number
  /** How often a model may try again after a failure. @default the agent's */
  readonly maxRetries?: number
  /** Longer texts of results are cut, in characters. @default the agent's */
  readonly maxResultChars?: number
}

/** Throws a {@link ToolRegistrationError} for a limit that cannot be. */
export function checkUsualLimits(
  { timeoutMs, maxRetries, maxResultChars }: UsualLimits,
  where: string,
): void {
  checkMilliseconds(timeoutMs, 'timeoutMs', where)
  checkCount(maxResultChars, leastResultChars, `${where}: maxResultChars`)
  checkCount(maxRetries, 0, `${where}: maxRetries`)
}
