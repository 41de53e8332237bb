/** A type whose members may be set: for what is made member by member. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
