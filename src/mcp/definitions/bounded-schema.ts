import { jsonSchema } from '../../tool/json-schema.ts'
import type { JsonObject, JsonValue } from '../../tool/json-value.ts'
import type { StandardSchema } from '../../tool/standard-schema.ts'
import { asList, isObject, isRecord } from '../../tool/value-kinds.ts'
import { samePlace } from './schema-cost.ts'

/** As often may the validator look at parts of one value: some seconds at most. */
const maxLooks = 500_000

/**
 * As `jsonSchema()`, for the schema of a server: a schema that refers to itself twice doubles the work at
 * each level of a value, so that a few hundred bytes of schema and forty levels of value stop a page. Such a
 * value is refused.
 */
export function boundedSchema(schema: JsonObject): StandardSchema<JsonObject, JsonObject> {
  const made = jsonSchema(schema)
  // Without references each part of a value is looked at by each part of the schema once, at most.
  if (!JSON.stringify(schema).includes('"$ref"')) return made
  const standard = made['~standard']
  const message = 'is nested too deeply to be checked; send less at once'
  return {
    '~standard': {
      ...standard,
      validate: (value) =>
        looksAt(schema, value as JsonValue) > maxLooks
          ? { issues: [{ path: [], message }] }
          : standard.validate(value),
    },
  }
}

/** How often the validator would look at a value and its parts. Counted without looking twice. */
function looksAt(schema: JsonObject, whole: JsonValue): number {
  const known = new Map<unknown, Map<unknown, number>>()
  const count = (node: unknown, value: JsonValue): number => {
    if (!isRecord(node)) return 1
    if (!isObject(value)) return counted(node, value)
    const found = known.get(value) ?? new Map<unknown, number>()
    known.set(value, found)
    const looks = found.get(node) ?? counted(node, value)
    found.set(node, looks)
    return looks
  }
  const counted = (node: Record<string, unknown>, value: JsonValue): number => {
    let looks = 1
    for (const part of samePlace(node, schema)) looks += count(part, value)
    for (const [part, member] of membersOf(node, value)) looks += count(part, member)
    return looks
  }
  return count(schema, whole)
}

/** Which parts of a schema look at which parts of a value. More than really do, where a pattern decides. */
function membersOf(node: Record<string, unknown>, value: JsonValue): (readonly [unknown, JsonValue])[] {
  if (Array.isArray(value)) {
    const prefix = asList(node.prefixItems)
    const rest = [node.items, node.contains, node.unevaluatedItems]
    return value.flatMap((item: JsonValue, index) =>
      [prefix[index], ...rest].map((part) => [part, item] as const),
    )
  }
  if (!isRecord(value)) return []
  const named = isRecord(node.properties) ? node.properties : {}
  const rest = [
    ...[node.additionalProperties, node.unevaluatedProperties],
    ...Object.values(isRecord(node.patternProperties) ? node.patternProperties : {}),
  ]
  return Object.entries(value as JsonObject).flatMap(([key, member]) =>
    [Object.hasOwn(named, key) ? named[key] : undefined, ...rest].map((part) => [part, member] as const),
  )
}
