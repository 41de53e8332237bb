import { ToolRegistrationError } from './errors.ts'
import { nameHint } from './tool-name.ts'
import { isRecord, tagOf } from './value-kinds.ts'

/**
 * Throws unless `given` is an object whose keys are all in `known`: an option that would be ignored is a
 * mistake, and a silent one when it is a safety option. `meant` gives the known key for what people may write by
 * habit.
 */
export function checkOptions(
  given: unknown,
  known: readonly string[],
  where: string,
  meant?: (key: string) => string | undefined,
): void {
  if (!isRecord(given)) {
    throw new ToolRegistrationError(`${where}: expected an options object, got ${tagOf(given)}.`)
  }
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    const hint = nameHint(meant?.(key) ?? key, known, 'options')
    throw new ToolRegistrationError(`${where}: there is no option "${key}". ${hint}`)
  }
}

/** Throws unless `value` is undefined or a number of milliseconds above zero (Infinity is allowed). */
export function checkMilliseconds(value: unknown, name: string, where: string): void {
  if (value === undefined || (typeof value === 'number' && value > 0)) return
  throw new ToolRegistrationError(`${where}: ${name} is ${String(value)}; give milliseconds above 0.`)
}

/** Throws unless `value` is undefined, Infinity, or a whole number of at least `least`. */
export function checkCount(value: unknown, least: number, where: string): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return
  if (Number.isInteger(value) && (value as number) >= least) return
  throw new ToolRegistrationError(`${where} is ${String(value)}; give a whole number of at least ${least}.`)
}
