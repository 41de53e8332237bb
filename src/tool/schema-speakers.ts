import type { JsonObject, JsonValue } from './json-value.ts'
import { mayApply, namesKeys, parts, propertiesOf, type SchemaNode } from './union-branches.ts'
import { asList } from './value-kinds.ts'

/** It stands under a condition, and only makes keys known. */
const hint = 0
/** One of several branches of a union. */
const possible = 1
/** It applies, and its defaults count. */
export const certain = 2

/** How sure it is that a schema speaks about a value: {@link hint}, {@link possible} or {@link certain}. */
type Role = number

/** A schema that speaks about a value. */
export type Speaker = readonly [schema: unknown, role: Role]

/** All that is said about a value. */
export interface Speakers {
  readonly speakers: ReadonlyMap<SchemaNode, Role>
  /** Whether a key that none of them knows is to be dropped. */
  readonly dropUnknown: boolean
}

/**
 * Follows references, merges `allOf` and narrows unions: all nodes that speak about `value`. When no branch of a
 * union may apply, the value is wrong anyway and all speak, so that nothing is lost before the validator says why.
 */
export function speakersFor(about: readonly Speaker[], value: JsonValue, root: JsonObject): Speakers {
  const speakers = new Map<SchemaNode, Role>()
  let takesAnyKey = false
  const add = (schema: unknown, role: Role): void => {
    for (const node of parts(schema, root)) {
      const known = speakers.get(node)
      // A schema may refer to itself at the same value; a second look only matters when it says more.
      if (known !== undefined && known >= role) continue
      speakers.set(node, role)
      for (const union of [node.anyOf, node.oneOf]) {
        const branches = asList(union)
        const able = branches.filter((branch) => mayApply(branch, value, root))
        const decided = able.length === 1 && able[0] !== true
        for (const branch of able.length === 0 ? branches : able) {
          takesAnyKey ||= !decided && !namesKeys(branch, root)
          add(branch, decided ? role : Math.min(role, possible))
        }
      }
      const conditional = [node.if, node.then, node.else, ...Object.values(node.dependentSchemas ?? {})]
      for (const part of conditional) add(part, hint)
    }
  }
  for (const [schema, role] of about) add(schema, role)
  return { speakers, dropUnknown: dropsUnknown([...speakers], takesAnyKey) }
}

function dropsUnknown(speakers: (readonly [SchemaNode, Role])[], takesAnyKey: boolean): boolean {
  const least = takesAnyKey ? certain : possible
  return (
    !speakers.some(([node]) => (node.additionalProperties ?? node.unevaluatedProperties) !== undefined) &&
    speakers.some(([node, role]) => node.properties !== undefined && role >= least)
  )
}

/** What speaks about the member of an object; empty when no schema knows its key. */
export function memberSpeakers({ speakers }: Speakers, key: string): Speaker[] {
  return [...speakers].flatMap(([node, role]) => {
    const properties = propertiesOf(node)
    const schemas = Object.hasOwn(properties, key) ? [properties[key]] : []
    for (const [pattern, schema] of Object.entries(node.patternProperties ?? {})) {
      if (mayMatch(pattern, key)) schemas.push(schema)
    }
    if (schemas.length === 0) schemas.push(node.additionalProperties)
    // `true` and `false` know the key; whether its value may stand is the validator's to say.
    return schemas.flatMap((schema) => (schema === undefined ? [] : [[schema, role] as const]))
  })
}

function mayMatch(pattern: string, key: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(key)
  } catch {
    // Another library's pattern, written for other flags.
    return true
  }
}

/** What speaks about the item of an array. */
export function itemSpeakers({ speakers }: Speakers, index: number): Speaker[] {
  return Array.from(speakers, ([node, role]) => {
    const prefix = asList(node.prefixItems)
    return [index < prefix.length ? prefix[index] : node.items, role]
  })
}
