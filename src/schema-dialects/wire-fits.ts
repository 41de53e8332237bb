import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'

/** The definitions of a copy, by name. */
export type WireSchemas = (name: string) => JsonObject | undefined

/**
 * Whether a value has the shape that a provider's copy of a schema describes: what tells the branches of a union apart.
 * Bounds of numbers and lengths do not.
 */
export function fitsWire(schema: JsonObject, value: JsonValue, schemas: WireSchemas): boolean {
  if (value === null && schema.nullable === true) return true
  if (typeof schema.$ref === 'string') {
    const target = schemas(schema.$ref.split('/').at(-1) ?? '')
    return target === undefined || fitsWire(target, value, schemas)
  }
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined && !asList(union).some((branch) => fitsPart(branch, value, schemas))) return false
  if (!fitsType(schema.type, value)) return false
  if (Array.isArray(schema.enum) && !schema.enum.includes(value) && typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every((item) => fitsPart(schema.items, item, schemas))
  return !isRecord(value) || fitsObject(schema, value as JsonObject, schemas)
}

function fitsObject(schema: JsonObject, value: JsonObject, schemas: WireSchemas): boolean {
  const { required, additionalProperties, patternProperties } = schema
  const properties = isRecord(schema.properties) ? (schema.properties as JsonObject) : {}
  if (!asList(required).every((key) => Object.hasOwn(value, String(key)))) return false
  const patterns = isRecord(patternProperties) ? Object.keys(patternProperties) : []
  return Object.entries(value).every(([key, member]) => {
    if (Object.hasOwn(properties, key)) return fitsPart(properties[key], member, schemas)
    if (patterns.some((pattern) => new RegExp(pattern, 'u').test(key))) return true
    return additionalProperties !== false && fitsPart(additionalProperties, member, schemas)
  })
}

function fitsPart(schema: unknown, value: JsonValue, schemas: WireSchemas): boolean {
  return !isRecord(schema) || fitsWire(schema as JsonObject, value, schemas)
}

function fitsType(type: unknown, value: JsonValue): boolean {
  if (type === undefined) return true
  const name = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const names = [type].flat()
  return names.includes(name) || (Number.isInteger(value) && names.includes('integer'))
}
