import { type JsonObject, type JsonValue, joinPath } from './json-value.ts'
import {
  certain,
  itemSpeakers,
  memberSpeakers,
  type Speaker,
  type Speakers,
  speakersFor,
} from './schema-speakers.ts'
import { propertiesOf } from './union-branches.ts'
import { isObject, isRecord } from './value-kinds.ts'

/** An input with its defaults filled in and its unknown keys gone. */
export interface NormalizedInput {
  readonly input: JsonObject
  /** Dotted paths of the keys that were dropped because the schema does not know them. */
  readonly droppedKeys: readonly string[]
}

/**
 * Brings an input into the form that everyone sees and that runs. At each node with `properties`: an
 * absent property with a `default` is filled in; a key that the schema does not know is dropped and
 * reported, unless `additionalProperties` says otherwise (`false`: the validator rejects it; `true` or a
 * schema: it is kept). In a union, a key stays if any branch that may apply knows it, and no default is
 * filled in unless exactly one branch may apply.
 */
export function normalizeInput(schema: JsonObject, input: JsonObject): NormalizedInput {
  if (isNormal(schema, input)) return { input, droppedKeys: [] }
  const droppedKeys: string[] = []
  const visit = (about: readonly Speaker[], value: JsonValue, path: string): JsonValue => {
    if (!isObject(value)) return value
    let filled: JsonValue = value
    let given: JsonValue
    let all: Speakers
    // A default may decide a union, whose branch then has defaults of its own.
    do {
      given = filled
      all = speakersFor(about, given, schema)
      filled = fillDefaults(all, given)
    } while (filled !== given)
    if (Array.isArray(filled)) {
      return filled.map((item: JsonValue, index) =>
        visit(itemSpeakers(all, index), item, joinPath(path, index)),
      )
    }
    const result: Record<string, JsonValue> = {}
    for (const [key, member] of Object.entries(filled as JsonObject)) {
      const known = memberSpeakers(all, key)
      const memberPath = joinPath(path, key)
      if (known.length === 0 && all.dropUnknown) droppedKeys.push(memberPath)
      else result[key] = visit(known, member, memberPath)
    }
    return result
  }
  return { input: visit([[schema, certain]], input, '') as JsonObject, droppedKeys }
}

/** Keywords that say more of a value than the schemas of its members do. */
const furtherKeywords: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'],
  ...['patternProperties', 'prefixItems', 'unevaluatedProperties'],
])

/** Whether there plainly is nothing to fill in or to drop. Gives up (`false`) at whatever takes more than a look. */
function isNormal(schema: unknown, value: JsonValue): boolean {
  if (!isObject(value) || !isRecord(schema)) return true
  // Asked of every call: it looks at the few keys that are there, and makes nothing.
  for (const key in schema) if (furtherKeywords.has(key)) return false
  const { items, additionalProperties } = schema
  if (Array.isArray(value)) return value.every((item: JsonValue) => isNormal(items, item))
  const properties = propertiesOf(schema)
  for (const key in properties) {
    const property = properties[key]
    if (isRecord(property) && property.default !== undefined && !Object.hasOwn(value, key)) return false
  }
  const isKept = additionalProperties !== undefined || schema.properties === undefined
  for (const key in value as JsonObject) {
    const member = (value as JsonObject)[key] as JsonValue
    const isKnown = Object.hasOwn(properties, key)
    if (!isKnown && !isKept) return false
    if (!isNormal(isKnown ? properties[key] : additionalProperties, member)) return false
  }
  return true
}

function fillDefaults({ speakers }: Speakers, value: JsonValue): JsonValue {
  if (!isRecord(value)) return value
  let filled = value as JsonObject
  for (const [node, role] of speakers) {
    if (role !== certain) continue
    for (const [key, property] of Object.entries(propertiesOf(node))) {
      const fallback: JsonValue | undefined = Object(property).default
      if (fallback !== undefined && !Object.hasOwn(filled, key)) filled = { ...filled, [key]: fallback }
    }
  }
  return filled
}
