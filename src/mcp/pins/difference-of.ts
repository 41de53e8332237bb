import { canonicalJson, type JsonValue, joinPath } from '../../tool/json-value.ts'
import { asList, isObject, isRecord } from '../../tool/value-kinds.ts'
import type { RawDefinition } from '../definitions/server-tool.ts'
import { type TextSegment, textDifference } from './text-difference.ts'

/** One place where two definitions differ. */
export interface DefinitionChange {
  /** `description`, or a path such as `inputSchema.properties.to.description`. */
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  /** Absent for what was added. */
  readonly before?: JsonValue
  /** Absent for what was removed. */
  readonly after?: JsonValue
  /** Of a text: what in it was removed and added. */
  readonly segments?: readonly TextSegment[]
}

/** What is different between two definitions of a tool: plain data, for a person to look at. */
export interface DefinitionDifference {
  /** The fields that differ, in the order of importance. */
  readonly fields: readonly string[]
  readonly changes: readonly DefinitionChange[]
  /** How many changes are not in the list. */
  readonly omitted: number
}

const maxChanges = 200
const fieldOrder = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/** Compares two definitions as they came from the server. The order of keys makes no difference. */
export function differenceOf(before: RawDefinition, after: RawDefinition): DefinitionDifference {
  const names = new Set([...fieldOrder, ...Object.keys(before), ...Object.keys(after)])
  const fields: string[] = []
  const all: DefinitionChange[] = []
  for (const field of names) {
    const [old, now] = [own(before, field), own(after, field)]
    const known = all.length
    collect(old, now, field, all)
    if (all.length > known) fields.push(field)
  }
  const changes = all.slice(0, maxChanges).map(withSegments)
  return { fields, changes, omitted: all.length - changes.length }
}

function collect(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path: string,
  all: DefinitionChange[],
): void {
  const [old, now] = [membersOf(before), membersOf(after)]
  if (old !== undefined && now !== undefined && Array.isArray(before) === Array.isArray(after)) {
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      collect(old.get(key), now.get(key), joinPath(path, key), all)
    }
    return
  }
  if (same(before, after)) return
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  all.push({ path, kind, ...(before !== undefined && { before }), ...(after !== undefined && { after }) })
}

/** The parts that are compared one by one; a list of plain values is one thing. */
function membersOf(value: JsonValue | undefined): ReadonlyMap<PropertyKey, JsonValue> | undefined {
  if (isRecord(value)) return new Map(Object.entries(value as RawDefinition))
  const isPlain = asList(value).every((item) => !isObject(item))
  return Array.isArray(value) && !isPlain ? new Map(value.entries()) : undefined
}

function withSegments(change: DefinitionChange): DefinitionChange {
  const { before, after } = change
  if (typeof before !== 'string' && typeof after !== 'string') return change
  if (!isText(before) || !isText(after)) return change
  return { ...change, segments: textDifference(before ?? '', after ?? '') }
}

function isText(value: JsonValue | undefined): value is string | undefined {
  return value === undefined || typeof value === 'string'
}

function own(definition: RawDefinition, field: string): JsonValue | undefined {
  return Object.hasOwn(definition, field) ? definition[field] : undefined
}

/** Of values that are not compared part by part: no part of a definition is written out more than once. */
function same(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  if (!isObject(before) || !isObject(after)) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
