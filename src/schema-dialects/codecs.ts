import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { Codec, Projected } from './projected.ts'
import type { WireDefinition } from './projecting.ts'
import { fitsWire, type WireSchemas } from './wire-fits.ts'

/** How an object is written. */
export interface ObjectWriting {
  /** The keys of the schema, and how they are sent. */
  readonly names: ReadonlyMap<string, string>
  /** By key of the schema. */
  readonly codecs: ReadonlyMap<string, Codec>
  /** Of what other keys hold. */
  readonly others: ((key: string) => Codec | undefined) | undefined
  /** Keys that are sent as null when they are absent. */
  readonly filled: ReadonlySet<string>
  /** Keys of which null says that they are absent. */
  readonly nullIsAbsent: ReadonlySet<string>
}

/** The codec of an object; none when it stays as it is. */
export function objectCodec(writing: ObjectWriting): Codec | undefined {
  const { names, codecs, others, filled, nullIsAbsent } = writing
  const isRenamed = [...names].some(([key, name]) => key !== name)
  if (!isRenamed && codecs.size === 0 && others === undefined && filled.size === 0) return undefined
  const keys = new Map([...names].map(([key, name]) => [name, key]))
  return {
    encode: (value) => {
      if (!isRecord(value)) return value
      const entries = Object.entries(value as JsonObject).map(([key, member]): [string, JsonValue] => {
        const codec = names.has(key) ? codecs.get(key) : others?.(key)
        return [names.get(key) ?? key, codec === undefined ? member : codec.encode(member)]
      })
      const absent = [...filled].filter((key) => !Object.hasOwn(value, key))
      return Object.fromEntries([
        ...entries,
        ...absent.map((key): [string, JsonValue] => [names.get(key) ?? key, null]),
      ])
    },
    decode: (value) => {
      if (!isRecord(value)) return value
      const entries = Object.entries(value as JsonObject).flatMap(([name, member]): [string, JsonValue][] => {
        const key = keys.get(name) ?? name
        if (member === null && nullIsAbsent.has(key)) return []
        const codec = names.has(key) ? codecs.get(key) : others?.(key)
        return [[key, codec === undefined ? member : codec.decode(member)]]
      })
      return Object.fromEntries(entries)
    },
  }
}

/** The codec of an array: of each item by its place, or by what comes behind those. */
export function arrayCodec(
  places: readonly (Codec | undefined)[],
  rest: Codec | undefined,
): Codec | undefined {
  if (rest === undefined && places.every((codec) => codec === undefined)) return undefined
  const each = (value: JsonValue, way: 'encode' | 'decode'): JsonValue => {
    if (!Array.isArray(value)) return value
    return value.map((item: JsonValue, index) => {
      const codec = index < places.length ? places[index] : rest
      return codec === undefined ? item : codec[way](item)
    })
  }
  return { encode: (value) => each(value, 'encode'), decode: (value) => each(value, 'decode') }
}

/** The codec of a value that is one of several: of the first whose schema fits what is sent. */
export function unionCodec(branches: readonly Projected[], schemas: WireSchemas): Codec | undefined {
  if (branches.every(({ codec }) => codec === undefined)) return undefined
  return {
    encode: (value) => {
      const written = branches.map(({ schema, codec }) => ({ schema, value: codec?.encode(value) ?? value }))
      return written.find((one) => fitsWire(one.schema, one.value, schemas))?.value ?? value
    },
    decode: (value) => {
      const branch = branches.find(({ schema }) => fitsWire(schema, value, schemas))
      return branch?.codec?.decode(value) ?? value
    },
  }
}

/** The codec of a definition, which may not be there yet. */
export function definitionCodec(definition: WireDefinition): Codec {
  return {
    encode: (value) => definition.projected?.codec?.encode(value) ?? value,
    decode: (value) => definition.projected?.codec?.decode(value) ?? value,
  }
}
