import { resolveReference } from './check-json-schema.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { asList, isRecord } from './value-kinds.ts'

/** A JSON Schema that is an object, not `true` or `false`. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A schema with all that it refers to and consists of; nothing when it is not an object. */
export function parts(schema: unknown, root: JsonObject): readonly SchemaNode[] {
  const found = new Set<unknown>([schema])
  for (const node of found) {
    if (!isRecord(node)) continue
    if (typeof node.$ref === 'string') found.add(resolveReference(node.$ref, root))
    for (const part of asList(node.allOf)) found.add(part)
  }
  return [...found].filter(isRecord)
}

/** Whether a branch of an `anyOf` or `oneOf` may apply to a value, judged by type, by constants and by required keys. */
export function mayApply(branch: unknown, value: JsonValue, root: JsonObject): boolean {
  return branch !== false && parts(branch, root).every((part) => fits(part, value))
}

/** Whether a branch says which keys there are. A union inside it is looked at by itself. */
export function namesKeys(branch: unknown, root: JsonObject): boolean {
  return parts(branch, root).some(({ properties, anyOf, oneOf }) => properties ?? anyOf ?? oneOf)
}

function fits(node: SchemaNode, value: JsonValue): boolean {
  if (!fitsType(node.type, value) || !fitsConstant(node, value)) return false
  if (!isRecord(value)) return true
  const known = propertiesOf(node)
  return (
    asList(node.required).every((key) => {
      return Object.hasOwn(value, String(key)) || Object(known[String(key)]).default !== undefined
    }) &&
    Object.entries(known).every(([key, property]) => {
      return !Object.hasOwn(value, key) || fitsConstant(Object(property), value[key])
    })
  )
}

function fitsType(type: unknown, value: JsonValue): boolean {
  if (type === undefined) return true
  const name = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const names = [type].flat()
  return names.includes(name) || (name === 'number' && names.includes('integer'))
}

// Objects and arrays are left to the validator: they are equal by content.
function fitsConstant(node: SchemaNode, value: unknown): boolean {
  const allowed = node.const === undefined ? node.enum : [node.const]
  return !Array.isArray(allowed) || allowed.some((item) => item === value || typeof item === 'object')
}

/** The schemas of an object's members. */
export function propertiesOf(node: SchemaNode): SchemaNode {
  return Object(node.properties)
}
