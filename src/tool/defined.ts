/** An object type without `undefined` as a value: what could be undefined may be absent instead. */
export type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/**
 * The object without the members that are undefined: absent and undefined are not the same to a reader of events.
 * Pass a fresh one: where nothing is undefined it is given back as it is.
 */
export function defined<T extends object>(object: T): Defined<T> {
  const entries = object as Record<string, unknown>
  for (const key in entries) if (entries[key] === undefined) return withoutUndefined(entries) as Defined<T>
  return object as unknown as Defined<T>
}

function withoutUndefined(entries: Record<string, unknown>): object {
  const copy: Record<string, unknown> = {}
  for (const key in entries) {
    const value = entries[key]
    if (value !== undefined) copy[key] = value
  }
  return copy
}
