import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** How a value is written in a form; `json` when there is no better way. */
export type ControlKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'group' | 'json'

/** Keywords that say more about a value than a control can show. */
const compound = ['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'not', 'if']

/** Longer lists and objects are written as JSON: a form of a thousand fields helps nobody. */
const maxMembers = 100

/** The control that can show the values of a schema and the one that is there, without a change. */
export function kindOf(schema: JsonObject, value: JsonValue | undefined): ControlKind {
  const values = choicesOf(schema)
  if (values !== undefined) return value === undefined || hasValue(values, value) ? 'choice' : 'json'
  if (compound.some((keyword) => keyword in schema)) return 'json'
  switch (schema.type) {
    case 'string':
      return fits(value, 'string', 'text')
    case 'number':
    case 'integer':
      return fits(value, 'number', 'number')
    case 'boolean':
      return fits(value, 'boolean', 'boolean')
    case 'array':
      return isSimpleList(schema, value) ? 'list' : 'json'
    case 'object':
      return isShortGroup(schema, value) ? 'group' : 'json'
    default:
      return 'json'
  }
}

/** All values that a schema allows, when it names them. */
export function choicesOf(schema: JsonObject): readonly JsonValue[] | undefined {
  return titledChoicesOf(schema)?.map(({ value }) => value)
}

/** A value that a schema allows, and what it calls it. */
export interface TitledChoice {
  readonly value: JsonValue
  readonly title?: unknown
}

/** As {@link choicesOf}, with what each of them is called. */
export function titledChoicesOf(schema: JsonObject): readonly TitledChoice[] | undefined {
  const { const: only, title } = schema
  if ('const' in schema) return only === undefined ? undefined : [{ value: only, title }]
  if (Array.isArray(schema.enum)) return schema.enum.map((value: JsonValue) => ({ value }))
  const branches: unknown = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(branches) || branches.length === 0) return undefined
  const named = branches.map((branch: unknown) => titledChoicesOf(asSchema(branch)))
  return named.every((choices) => choices !== undefined) ? named.flat() : undefined
}

/** A part of a schema; one that is no object says nothing about its values. */
export function asSchema(part: unknown): JsonObject {
  return isRecord(part) ? (part as JsonObject) : {}
}

/** The parts of an object's schema by name. A Map: a field may be called `constructor`. */
export function propertiesOf(schema: JsonObject): ReadonlyMap<string, JsonObject> {
  const properties = Object.entries(asSchema(schema.properties))
  return new Map(properties.map(([name, part]) => [name, asSchema(part)]))
}

/** Whether an object's schema asks for a field. */
export function isRequired(schema: JsonObject, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name)
}

/** An object's schema without the fields of another one. */
export function withoutProperties(schema: JsonObject, other: JsonObject | undefined): JsonObject {
  if (other === undefined) return schema
  const gone = propertiesOf(other)
  const properties = Object.entries(asSchema(schema.properties)).filter(([name]) => !gone.has(name))
  return { ...schema, properties: Object.fromEntries(properties) }
}

function fits(value: JsonValue | undefined, type: string, kind: ControlKind): ControlKind {
  return value === undefined || typeof value === type ? kind : 'json'
}

function hasValue(values: readonly JsonValue[], value: JsonValue): boolean {
  return values.some((one) => one === value || JSON.stringify(one) === JSON.stringify(value))
}

function isSimpleList(schema: JsonObject, value: JsonValue | undefined): boolean {
  const items = asSchema(schema.items)
  if ('prefixItems' in schema || (value !== undefined && !Array.isArray(value))) return false
  const members: readonly JsonValue[] = Array.isArray(value) ? value : []
  const isSimple = (member: JsonValue | undefined) =>
    ['text', 'number', 'boolean', 'choice'].includes(kindOf(items, member))
  return isSimple(undefined) && members.length <= maxMembers && members.every(isSimple)
}

function isShortGroup(schema: JsonObject, value: JsonValue | undefined): boolean {
  if (value !== undefined && !isRecord(value)) return false
  const names = new Set([...propertiesOf(schema).keys(), ...Object.keys(value ?? {})])
  // A free-form object has no fields to show.
  return propertiesOf(schema).size > 0 && names.size <= maxMembers
}
