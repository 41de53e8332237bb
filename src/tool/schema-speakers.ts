import { isRecord, type JsonObject, type JsonValue } from './json-value.ts'
import { parts, type SchemaNode, unionBranches } from './union-branches.ts'

/** A schema node that speaks about a value. */
export interface Speaker {
  readonly node: SchemaNode
  /**
   * `certain`: it applies, and its defaults count. `possible`: one of several branches of a union.
   * `hint`: it stands under a condition, and only makes keys known.
   */
  readonly role: 'certain' | 'possible' | 'hint'
}

/** All that is said about a value. */
export interface Speakers {
  readonly speakers: readonly Speaker[]
  /** Whether a key that none of them knows is to be dropped. */
  readonly dropUnknown: boolean
}

const roles: readonly Speaker['role'][] = ['certain', 'possible', 'hint']

/** Follows references, merges `allOf` and narrows unions: all nodes that speak about `value`. */
export function speakersFor(about: readonly Speaker[], value: JsonValue, root: JsonObject): Speakers {
  const found = new Map<SchemaNode, Speaker['role']>()
  let takesAnyKey = false
  const add = (schema: unknown, role: Speaker['role']): void => {
    for (const node of parts(schema, root)) {
      const known = found.get(node)
      // A schema may refer to itself at the same value; a second look only matters when it says more.
      if (known !== undefined && roles.indexOf(known) <= roles.indexOf(role)) continue
      found.set(node, role)
      for (const list of [node.anyOf, node.oneOf]) {
        const union = unionBranches(asList(list), value, root)
        takesAnyKey ||= union.takesAnyKey
        for (const branch of union.branches) add(branch, union.decided || role === 'hint' ? role : 'possible')
      }
      const dependent = Object.values(node.dependentSchemas ?? {})
      for (const part of [node.if, node.then, node.else, ...dependent]) add(part, 'hint')
    }
  }
  for (const { node, role } of about) add(node, role)
  const speakers = Array.from(found, ([node, role]) => ({ node, role }))
  return { speakers, dropUnknown: dropsUnknown(speakers, takesAnyKey) }
}

function dropsUnknown(speakers: readonly Speaker[], takesAnyKey: boolean): boolean {
  const hasRule = speakers.some(
    ({ node }) => 'additionalProperties' in node || 'unevaluatedProperties' in node,
  )
  if (hasRule) return false
  const listing = speakers.filter(({ node, role }) => role !== 'hint' && isRecord(node.properties))
  return listing.some(({ role }) => role === 'certain') || (listing.length > 0 && !takesAnyKey)
}

/** What speaks about the member of an object; empty when no schema knows its key. */
export function memberSpeakers(speakers: readonly Speaker[], key: string): Speaker[] {
  return speakers.flatMap(({ node, role }) => {
    const schemas: unknown[] = []
    if (isRecord(node.properties) && Object.hasOwn(node.properties, key)) schemas.push(node.properties[key])
    for (const [pattern, schema] of Object.entries(node.patternProperties ?? {})) {
      if (mayMatch(pattern, key)) schemas.push(schema)
    }
    if (schemas.length === 0) schemas.push(node.additionalProperties)
    // `true` and `false` know the key; whether its value may stand is the validator's to say.
    return schemas.flatMap((schema) => speaker(typeof schema === 'boolean' ? {} : schema, role))
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
export function itemSpeakers(speakers: readonly Speaker[], index: number): Speaker[] {
  return speakers.flatMap(({ node, role }) => {
    const prefix = asList(node.prefixItems)
    return speaker(index < prefix.length ? prefix[index] : node.items, role)
  })
}

function speaker(schema: unknown, role: Speaker['role']): Speaker[] {
  return isRecord(schema) ? [{ node: schema, role }] : []
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
