import { canonicalJson, type JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'

/** A schema as an object: references followed, `allOf` merged, old forms written anew. */
export type PlainNode = Record<string, unknown>

/** Holds schemas that could not be merged: a value must match each of them too. No keyword of JSON Schema. */
export const alsoKey = '~also'

/** A node that no value fits. */
export const never: PlainNode = { not: {} }

/** Whether a node says in so many words that nothing fits it. */
export function isNever(node: unknown): boolean {
  return node === false || (isRecord(node) && isRecord(node.not) && Object.keys(node.not).length === 0)
}

const largest = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
])
const smallest = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
])
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired'])
const annotations = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'],
])

/** One node that says what both say. Of what a person reads, the first one's words count. */
export function mergeNodes(first: PlainNode, second: PlainNode): PlainNode {
  if (isNever(first) || isNever(second)) return never
  const merged: PlainNode = { ...second, ...first }
  const also: unknown[] = [...asList(first[alsoKey]), ...asList(second[alsoKey])]
  for (const key of Object.keys(second)) {
    const [one, other] = [first[key], second[key]]
    if (one === undefined || one === other || annotations.has(key)) continue
    const both = mergeKeyword(key, one, other)
    if (both === undefined) also.push({ [key]: other })
    else if (both === impossible) return never
    else merged[key] = both
  }
  if (also.length > 0) merged[alsoKey] = also
  return merged
}

const impossible = Symbol('impossible')

/** What both say under a keyword; undefined when one keyword cannot say it. */
function mergeKeyword(key: string, one: unknown, other: unknown): unknown {
  if (key === 'type') return mergeTypes(one, other)
  if (key === 'enum') return mergeEnums(asList(one), asList(other))
  if (key === 'required') return [...new Set([...asList(one), ...asList(other)])]
  if (largest.has(key)) return Math.max(Number(one), Number(other))
  if (smallest.has(key)) return Math.min(Number(one), Number(other))
  if (key === 'uniqueItems') return one === true || other === true
  if (maps.has(key) && isRecord(one) && isRecord(other)) return mergeMaps(one, other)
  if (key === 'additionalProperties' || key === 'unevaluatedProperties' || key === 'items') {
    return bothSchemas(one, other)
  }
  if (key === alsoKey || sameJson(one, other)) return one
  return undefined
}

function mergeMaps(one: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return Object.fromEntries(
    keys.map((key) => {
      const [a, b] = [own(one, key), own(other, key)]
      return [key, a === undefined ? b : b === undefined ? a : bothSchemas(a, b)]
    }),
  )
}

function bothSchemas(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false
  if (one === true) return other
  if (other === true || sameJson(one, other)) return one
  if (Array.isArray(one)) return [...one, ...asList(other)]
  return { allOf: [one, other] }
}

function mergeTypes(one: unknown, other: unknown): unknown {
  const [these, those] = [[one].flat(), [other].flat()]
  const both = these.flatMap((type) => {
    if (those.includes(type)) return [type]
    if (type === 'integer' && those.includes('number')) return [type]
    return type === 'number' && those.includes('integer') ? ['integer'] : []
  })
  return both.length === 0 ? impossible : both.length === 1 ? both[0] : both
}

function mergeEnums(one: readonly unknown[], other: readonly unknown[]): unknown {
  const both = one.filter((value) => other.some((item) => sameJson(item, value)))
  return both.length === 0 ? impossible : both
}

/** The member of that very object, not one that every object has. */
function own(map: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined
}

function sameJson(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one as JsonValue) === canonicalJson(other as JsonValue)
}
