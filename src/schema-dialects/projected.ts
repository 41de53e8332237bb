import type { JsonObject, JsonValue } from '../tool/json-value.ts'

/** One thing that a provider's copy of a schema does not say as the tool's own schema does. */
export interface ProjectionLoss {
  /** Dotted path of the value, with `*` for the items of an array; empty for the whole input. */
  readonly path: string
  /** What the copy does not have, mostly a keyword. */
  readonly lost: string
  /** What it has instead. */
  readonly became: string
}

/** How values are written for a copy of a schema, and read again. */
export interface Codec {
  encode(value: JsonValue): JsonValue
  decode(value: JsonValue): JsonValue
}

/** A provider's copy of a schema. */
export interface Projected {
  readonly schema: JsonObject
  /** Absent when values stay as they are. */
  readonly codec?: Codec | undefined
}
