import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import type { Dialect } from './dialect.ts'

/** A copy that null fits as well, as the dialect writes it. */
export function withNull(schema: JsonObject, { nulls }: Dialect): JsonObject {
  if (admitsNull(schema)) return schema
  if (nulls === 'nullable') return { ...schema, nullable: true }
  const { anyOf, type, description, title } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  if (nulls === 'type' && type !== undefined) {
    const types = [...[type].flat(), 'null'] as JsonValue[]
    return Array.isArray(schema.enum)
      ? { ...schema, type: types, enum: [...schema.enum, null] }
      : { ...schema, type: types }
  }
  const { description: _text, title: _title, ...rest } = schema
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    anyOf: [rest, { type: 'null' }],
  }
}

/** Whether null fits a copy. Of a reference nobody knows: it is taken not to. */
export function admitsNull(schema: JsonObject): boolean {
  const { nullable, type, $ref } = schema
  if (nullable === true) return true
  if ($ref !== undefined) return false
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return asList(union).some((one) => isRecord(one) && admitsNull(one as JsonObject))
  if (type !== undefined) return [type].flat().includes('null')
  return schema.enum === undefined || asList(schema.enum).includes(null)
}
