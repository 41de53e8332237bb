/** An object type without `undefined` as a value: what could be undefined may be absent instead. */
export type Defined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

/** A copy without the members that are undefined: absent and undefined are not the same to a reader of events. */
export function defined<T extends object>(object: T): Defined<T> {
  const copy: Record<string, unknown> = {}
  for (const key in object) if (object[key] !== undefined) copy[key] = object[key]
  return copy as Defined<T>
}
