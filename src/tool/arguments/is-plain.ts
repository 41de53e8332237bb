import { isRecord } from '../value-kinds.ts'

/** Keywords under which more is said about the values of a list or an object. */
const furtherSchemas: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'prefixItems'],
])

/**
 * Whether every value of an input plainly is of a type that the schema takes, so that there is nothing to repair.
 * Asked of every call: it makes nothing and gives up (`false`) at whatever takes more than a look.
 */
export function isPlain(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema)) return false
  const { type } = schema
  if (type === undefined) return isPlainWithoutType(schema, value)
  const isOfType = Array.isArray(type) ? type.some((each) => hasType(each, value)) : hasType(type, value)
  if (!isOfType || typeof value !== 'object' || value === null) return isOfType
  for (const key in schema) if (furtherSchemas.has(key)) return false
  if (!Array.isArray(value)) return hasPlainMembers(schema, value as Record<string, unknown>)
  return schema.items === undefined || value.every((item) => isPlain(schema.items, item))
}

function hasType(type: unknown, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

function isPlainWithoutType(schema: Record<string, unknown>, value: unknown): boolean {
  const { anyOf = schema.oneOf, const: constant, enum: constants = [constant] } = schema
  if (Array.isArray(anyOf)) return anyOf.some((branch) => isPlain(branch, value))
  return Array.isArray(constants) && typeof value !== 'object' && constants.includes(value)
}

function hasPlainMembers(schema: Record<string, unknown>, value: Record<string, unknown>): boolean {
  const { properties, additionalProperties } = schema
  for (const key in value) {
    // What the schema does not know it cannot repair.
    if (!isRecord(properties) || !Object.hasOwn(properties, key)) {
      if (isRecord(additionalProperties)) return false
    } else if (!isPlain(properties[key], value[key])) return false
  }
  return true
}
