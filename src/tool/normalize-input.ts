import { isRecord, type JsonObject, type JsonValue, joinPath } from './json-value.ts'
import { itemSpeakers, memberSpeakers, type Speaker, type Speakers, speakersFor } from './schema-speakers.ts'

/** An input with its defaults filled in and its unknown keys gone. */
export interface NormalizedInput {
  readonly input: JsonObject
  /** Dotted paths of the keys that were dropped because the schema does not know them. */
  readonly droppedKeys: readonly string[]
}

interface Normalizing {
  readonly root: JsonObject
  readonly droppedKeys: string[]
}

/**
 * Brings an input into the form that everyone sees and that runs. At each node with `properties`: an
 * absent property with a `default` is filled in; a key that the schema does not know is dropped and
 * reported, unless `additionalProperties` says otherwise (`false`: the validator rejects it; `true` or a
 * schema: it is kept). In a union, a key stays if any branch that may apply knows it, and no default is
 * filled in unless exactly one branch may apply.
 */
export function normalizeInput(schema: JsonObject, input: JsonObject): NormalizedInput {
  const normalizing: Normalizing = { root: schema, droppedKeys: [] }
  const result = visit([{ node: schema, role: 'certain' }], input, '', normalizing)
  return { input: result as JsonObject, droppedKeys: normalizing.droppedKeys }
}

function visit(
  about: readonly Speaker[],
  value: JsonValue,
  path: string,
  normalizing: Normalizing,
): JsonValue {
  if (Array.isArray(value)) {
    const { speakers } = speakersFor(about, value, normalizing.root)
    return value.map((item: JsonValue, index) =>
      visit(itemSpeakers(speakers, index), item, joinPath(path, index), normalizing),
    )
  }
  if (!isJsonRecord(value)) return value
  let filled = value
  let all: Speakers
  let given: JsonObject
  // A default may decide a union, whose branch then has defaults of its own.
  do {
    given = filled
    all = speakersFor(about, given, normalizing.root)
    filled = fillDefaults(all.speakers, given)
  } while (filled !== given)
  const result: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(filled)) {
    const known = memberSpeakers(all.speakers, key)
    const memberPath = joinPath(path, key)
    if (known.length === 0 && all.dropUnknown) normalizing.droppedKeys.push(memberPath)
    else result[key] = visit(known, member, memberPath, normalizing)
  }
  return result
}

function fillDefaults(speakers: readonly Speaker[], value: JsonObject): JsonObject {
  let filled = value
  for (const { node, role } of speakers) {
    if (role !== 'certain' || !isRecord(node.properties)) continue
    for (const [key, property] of Object.entries(node.properties)) {
      if (Object.hasOwn(filled, key) || !isRecord(property) || property.default === undefined) continue
      filled = { ...filled, [key]: property.default as JsonValue }
    }
  }
  return filled
}

function isJsonRecord(value: JsonValue): value is JsonObject {
  return isRecord(value)
}
