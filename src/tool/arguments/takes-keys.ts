import type { JsonObject } from '../json-value.ts'
import { certain, memberSpeakers, speakersFor } from '../schema-speakers.ts'
import { isRecord } from '../value-kinds.ts'

/** Whether a schema knows a key of an object. */
export function knowsKey(schema: JsonObject, value: JsonObject, key: string): boolean {
  return memberSpeakers(speakersFor([[schema, certain]], value, schema), key).length > 0
}

/** Whether the keys of an object are what a tool takes: all it requires and none that it does not know. */
export function takesKeys(schema: JsonObject, value: JsonObject): boolean {
  return (
    requiredKeys(schema).every((key) => Object.hasOwn(value, key)) &&
    Object.keys(value).every((key) => knowsKey(schema, value, key))
  )
}

/** The keys that an input must hold: those without a default. */
export function requiredKeys({ required, properties }: JsonObject): readonly string[] {
  if (!Array.isArray(required)) return []
  const known = Object(properties) as Readonly<Record<string, unknown>>
  return required.filter((key: string) => {
    const property = Object.hasOwn(known, key) ? known[key] : undefined
    return !isRecord(property) || property.default === undefined
  })
}
