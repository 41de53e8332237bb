import { checkMilliseconds } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'

/** Limits of a group of tools, for those that set none themselves. */
export interface UsualLimits {
  /** Deadline of one call, in milliseconds. @default the agent's */
  readonly timeoutMs?: number
  /** How often a model may try again after a failure. @default the agent's */
  readonly maxRetries?: number
}

/** Throws a {@link ToolRegistrationError} for a limit that cannot be. */
export function checkUsualLimits({ timeoutMs, maxRetries }: UsualLimits, where: string): void {
  checkMilliseconds(timeoutMs, 'timeoutMs', where)
  if (maxRetries === undefined || (Number.isInteger(maxRetries) && maxRetries >= 0)) return
  throw new ToolRegistrationError(
    `${where}: maxRetries is ${String(maxRetries)}; give a whole number of at least 0.`,
  )
}
