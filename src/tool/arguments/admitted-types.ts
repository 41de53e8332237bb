import { resolveReference } from '../check-json-schema.ts'
import type { JsonObject } from '../json-value.ts'
import { isRecord } from '../value-kinds.ts'

/** The types of JSON as a set of bits. `number` is whole numbers and others. */
export const typeBits: {
  readonly [Type in 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object']: number
} = { null: 1, boolean: 2, integer: 4, number: 12, string: 16, array: 32, object: 64 }

/** All types. */
export const anyType: number = 127

/**
 * The types that a schema may admit: never fewer than it does. A string that is one of them is never touched, so
 * what cannot be told (`not`, `if`, a schema that refers to itself) counts as admitting it.
 *
 * @param seen - What is known of the schema's nodes already; each is looked at once.
 */
export function admittedTypes(schema: unknown, root: JsonObject, seen: Map<unknown, number>): number {
  if (schema === false) return 0
  if (!isRecord(schema)) return anyType
  const known = seen.get(schema)
  if (known !== undefined) return known
  seen.set(schema, anyType)
  const of = (each: unknown) => admittedTypes(each, root, seen)
  let types = anyType
  for (const union of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(union)) types &= union.reduce((sum: number, branch) => sum | of(branch), 0)
  }
  if (Array.isArray(schema.allOf)) for (const part of schema.allOf) types &= of(part)
  if (typeof schema.$ref === 'string') types &= of(resolveReference(schema.$ref, root))
  if (schema.type !== undefined) types &= sumOf([schema.type].flat(), bitsOfName)
  const constants = 'const' in schema ? [schema.const] : schema.enum
  if (Array.isArray(constants)) types &= sumOf(constants, bitsOf)
  seen.set(schema, types)
  return types
}

function sumOf(values: readonly unknown[], bits: (value: unknown) => number): number {
  return values.reduce((sum: number, value) => sum | bits(value), 0)
}

function bitsOfName(name: unknown): number {
  return typeBits[name as keyof typeof typeBits] ?? anyType
}

/** The type of a value. */
export function bitsOf(value: unknown): number {
  if (typeof value === 'number')
    return Number.isInteger(value) ? typeBits.integer : typeBits.number - typeBits.integer
  return bitsOfName(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}
