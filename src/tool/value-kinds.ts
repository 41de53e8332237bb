/** Whether a value is an object, of any kind but a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether a value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value)
}

/** A list as it is; empty for what is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Whether a value is a list of nothing but strings. */
export function isStringList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** Whether a value is an object with all of these methods. */
export function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === 'function')
}

/** The engine's own name for a kind of object, for example `Map`; `Object` for what is none. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}
