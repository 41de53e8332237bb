import { isForbiddenKey, type JsonObject, type JsonValue, joinPath } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import { objectCodec } from './codecs.ts'
import { isNever, type PlainNode } from './merge-nodes.ts'
import { admitsNull, withNull } from './nullable.ts'
import { boundsFor } from './project-values.ts'
import type { Codec, Projected } from './projected.ts'
import { briefJson, lose, type Place, refuseStrict, say } from './projecting.ts'
import { wireKeys } from './wire-words.ts'

/** An object: its keys as the dialect takes them, and what it says of other keys. */
export function projectObject(node: PlainNode, place: Place): Projected {
  const { dialect } = place.projecting
  const members = membersOf(node, place)
  const names = wireKeys([...members.keys()], dialect.keys)
  const wanted = new Set(asList(node.required).map(String))
  const unnamed = [...wanted].filter((key) => !members.has(key))
  if (unnamed.length > 0)
    say(place, 'required', unnamed.map(briefJson).join(', '), 'required, of a key that has no schema')
  const isRequired = (key: string) => dialect.allRequired || wanted.has(key)
  const [filled, nullIsAbsent] = [new Set<string>(), new Set<string>()]
  const properties = [...members].map(([key, { schema }]): [string, JsonValue] => {
    const at = { ...place, path: joinPath(place.path, key) }
    const name = names.get(key) ?? key
    let sent = name === key ? schema : named(schema, key, at)
    if (dialect.allRequired && !wanted.has(key)) {
      filled.add(key)
      if (!admitsNull(schema)) {
        nullIsAbsent.add(key)
        sent = withNull(sent, dialect)
        lose(at, 'optional', 'required, where null stands for absent')
      }
    }
    return [name, sent]
  })
  const codecs = new Map<string, Codec>()
  for (const [key, { codec }] of members) if (codec !== undefined) codecs.set(key, codec)
  const required = [...members.keys()].filter(isRequired).map((key) => names.get(key) ?? key)
  const others = otherKeys(node, place)
  const schema: JsonObject = {
    type: 'object',
    ...(properties.length > 0 || isRecord(node.properties)
      ? { properties: Object.fromEntries(properties) }
      : {}),
    ...(required.length > 0 ? { required } : {}),
    ...others.schema,
    ...boundsFor('object', node, place),
  }
  return { schema, codec: objectCodec({ names, codecs, others: others.codecOf, filled, nullIsAbsent }) }
}

function membersOf(node: PlainNode, place: Place): ReadonlyMap<string, Projected> {
  const members = new Map<string, Projected>()
  for (const [key, raw] of Object.entries(isRecord(node.properties) ? node.properties : {})) {
    // What no value fits cannot be given; the validator says so.
    if (isNever(raw) || isForbiddenKey(key)) lose(place, `the key "${key}"`, 'left out: it is refused')
    else members.set(key, place.projecting.part(raw, joinPath(place.path, key)))
  }
  return members
}

/** A renamed key says what it stands for. */
function named(schema: JsonObject, key: string, place: Place): JsonObject {
  lose(place, `the key "${key}"`, 'another key, which is mapped back')
  const text = place.projecting.texts.keyName(briefJson(key))
  const { description } = schema
  return { ...schema, description: typeof description === 'string' ? `${description} ${text}` : text }
}

interface OtherKeys {
  readonly schema: JsonObject
  readonly codecOf?: ((key: string) => Codec | undefined) | undefined
}

/** What may stand under keys that have no schema of their own. */
function otherKeys(node: PlainNode, place: Place): OtherKeys {
  const { dialect, part } = place.projecting
  const { additionalProperties: others = restOf(node), patternProperties: patterns, propertyNames } = node
  const hasPatterns = isRecord(patterns) && Object.keys(patterns).length > 0
  const isOpen = (others !== undefined && !isNever(others)) || hasPatterns
  if (isTelling(propertyNames)) say(place, 'keyNames', propertyNames, 'propertyNames')
  if (dialect.isStrict) {
    if (isOpen || !isRecord(node.properties)) refuseStrict(place, 'is an object with keys that are not named')
    return { schema: { additionalProperties: false } }
  }
  const path = joinPath(place.path, '*')
  if (!dialect.takesOpenObjects) {
    if (hasPatterns) say(place, 'otherKeys', patterns, 'patternProperties')
    if (isRecord(others)) say(place, 'otherKeys', others, 'additionalProperties')
    else if (others !== undefined)
      lose(place, 'additionalProperties', 'left out: other keys are judged when the call is checked')
    return { schema: {} }
  }
  const projected = isRecord(others) && !isNever(others) ? part(others, path) : undefined
  const written = hasPatterns
    ? Object.entries(patterns).map(([key, raw]) => [key, part(raw, path)] as const)
    : []
  return {
    schema: {
      ...(hasPatterns && {
        patternProperties: Object.fromEntries(written.map(([key, { schema }]) => [key, schema])),
      }),
      ...(others === undefined ? {} : { additionalProperties: projected?.schema ?? others === true }),
    },
    codecOf: codecOfOthers(written, projected?.codec),
  }
}

/** The codec of what a key holds that has no schema of its own: of the first pattern that it matches. */
function codecOfOthers(
  patterns: readonly (readonly [string, Projected])[],
  rest: Codec | undefined,
): ((key: string) => Codec | undefined) | undefined {
  if (rest === undefined && patterns.every(([, { codec }]) => codec === undefined)) return undefined
  return (key) => {
    const found = patterns.find(([pattern]) => new RegExp(pattern, 'u').test(key))
    return found === undefined ? rest : found[1].codec
  }
}

// Once all parts are merged there is nothing else that could have evaluated a key.
function restOf({ unevaluatedProperties, properties }: PlainNode): unknown {
  return unevaluatedProperties === false && isRecord(properties) ? false : undefined
}

function isTelling(names: unknown): boolean {
  return isRecord(names) && Object.keys(names).some((key) => key !== 'type')
}
