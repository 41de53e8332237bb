/** Which names a provider takes. Others are written with `_` in place of what it does not. */
export interface WireWords {
  /** What a name must not hold; with the flag `g`. */
  readonly wrong: RegExp
  /** What a name must begin with; others get a `_` in front. */
  readonly start?: RegExp
  readonly maxChars: number
}

/** What of JSON Schema a provider takes, as far as it says. */
export interface Dialect {
  /** Its name in sentences. */
  readonly title: string
  readonly names: WireWords
  /** Absent: any key will do. */
  readonly keys?: WireWords
  /** Whether a keyword that says something of a value, or about it, is taken as it is. */
  keeps(keyword: string, value: unknown): boolean
  /** Whether all objects are closed and every value has a type; a schema that cannot have that is not strict. */
  readonly isStrict: boolean
  /** Whether every key must be required: what may be absent is null then. */
  readonly allRequired: boolean
  /** Whether a schema may refer to its own definitions. */
  readonly takesReferences: boolean
  /** How a value that may be null is written. */
  readonly nulls: 'type' | 'anyOf' | 'nullable'
  readonly takesOneOf: boolean
  /** Whether a value may have no type, or several. */
  readonly takesUntyped: boolean
  /** Whether objects may have keys that are not named. */
  readonly takesOpenObjects: boolean
  /** Whether only texts may be in an `enum`. */
  readonly textEnums: boolean
}
