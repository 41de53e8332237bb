import { resolveReference } from './check-json-schema.ts'
import { isRecord, type JsonObject, type JsonValue } from './json-value.ts'
import { type SchemaNode, unionBranches } from './union-branches.ts'

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

const weakest = ['certain', 'possible', 'hint'] as const

/** Follows references, merges `allOf` and narrows unions: all nodes that speak about `value`. */
export function speakersFor(about: readonly Speaker[], value: JsonValue, root: JsonObject): Speakers {
  const found = new Map<SchemaNode, Speaker['role']>()
  let takesAnyKey = false
  const add = (schema: unknown, role: Speaker['role']): void => {
    if (!isRecord(schema)) return
    const known = found.get(schema)
    // A schema may refer to itself at the same value; a second look only matters when it says more.
    if (known !== undefined && weakest.indexOf(known) <= weakest.indexOf(role)) return
    found.set(schema, role)
    if (typeof schema.$ref === 'string') add(resolveReference(schema.$ref, root), role)
    for (const part of asList(schema.allOf)) add(part, role)
    for (const list of [schema.anyOf, schema.oneOf]) {
      const union = unionBranches(asList(list), value, root)
      if (union.takesAnyKey) takesAnyKey = true
      for (const branch of union.branches) add(branch, union.decided || role === 'hint' ? role : 'possible')
    }
    const dependent = isRecord(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : []
    for (const part of [schema.if, schema.then, schema.else, ...dependent]) add(part, 'hint')
  }
  for (const { node, role } of about) add(node, role)
  const speakers = Array.from(found, ([node, role]) => ({ node, role }))
  return { speakers, dropUnknown: dropsUnknown(speakers, takesAnyKey) }
}

function dropsUnknown(speakers: readonly Speaker[], takesAnyKey: boolean): boolean {
  const hasRule = speakers.some(
    ({ node }) => node.additionalProperties !== undefined || node.unevaluatedProperties !== undefined,
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
