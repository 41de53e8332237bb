import { isObject, isRecord, tagOf } from './value-kinds.ts'

/** A value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object: what tool inputs and JSON Schemas are made of. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** One thing that is wrong with a value, and where. */
export interface ToolIssue {
  /** Dotted path from the root of the value, for example `filter.tags.0`; empty for the root. */
  readonly path: string
  /** What is wrong, in one sentence. */
  readonly message: string
}

/** Either a checked value or the list of what is wrong with it. */
export type Checked<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly ToolIssue[]; readonly value?: undefined }

/** Deeper nesting than this is refused: no tool needs it, and recursion must end. */
const maxDepth = 100

/** Keys that reach an object's prototype when a careless merge copies them. */
const forbiddenKeys = ['__proto__', 'constructor', 'prototype']

/** Whether no input may hold this key. */
export function isForbiddenKey(key: string): boolean {
  return forbiddenKeys.includes(key)
}

/** What is wrong with a value first of all, for the messages of the library. */
export function firstIssue([issue]: readonly ToolIssue[]): string {
  return `at "${issue?.path}": ${issue?.message}`
}

/** Joins a path and a key with a dot; the root path is empty. */
export function joinPath(path: string, key: PropertyKey): string {
  return path === '' ? String(key) : `${path}.${String(key)}`
}

/**
 * Copies a value into fresh JSON. `undefined` members are left out, as `JSON.stringify` does; what JSON
 * cannot carry (functions, NaN, bigint, symbols, cycles, a Map) and keys that reach a prototype are issues.
 * A JavaScript Proxy (for example Svelte's `$state`) is read like the object it stands for.
 */
export function copyJson(value: unknown): Checked<JsonValue> {
  const copying: Copying = { issues: undefined, done: undefined }
  const copy = copyNode(value, undefined, '', copying)
  if (copy === undefined) report(undefined, '', 'undefined is not a JSON value', copying)
  const { issues } = copying
  return issues === undefined ? { value: copy as JsonValue } : { issues }
}

/** As {@link copyJson}; that a value is no object is an issue too. What {@link freezeJson} froze is its own copy. */
export function copyJsonObject(value: unknown): Checked<JsonObject> {
  if (isObject(value) && frozen.has(value)) return { value: value as JsonObject }
  const copied = copyJson(value)
  return copied.issues !== undefined || isRecord(copied.value)
    ? (copied as Checked<JsonObject>)
    : { issues: [{ path: '', message: 'expected an object' }] }
}

interface Copying {
  issues: ToolIssue[] | undefined
  /** Copies by their original: without them a graph would take as long as it has paths. */
  done: Map<object, JsonValue | undefined> | undefined
}

/** An object that is being copied, and where it stands in the one around it. A list of them would be made for each copy. */
interface Place {
  readonly value: object
  readonly key: PropertyKey
  readonly around: Place | undefined
  readonly depth: number
}

function copyNode(
  value: unknown,
  around: Place | undefined,
  key: PropertyKey,
  copying: Copying,
): JsonValue | undefined {
  if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string') {
    return value
  }
  // Adding 0 turns -0 into 0: JSON text shows no sign, and what is shown is what runs.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value + 0 : report(around, key, `${value} is not a JSON number`, copying)
  }
  if (typeof value !== 'object') return report(around, key, `a ${typeof value} is not a JSON value`, copying)
  for (let outer = around; outer !== undefined; outer = outer.around) {
    if (outer.value === value) return report(around, key, 'a cycle', copying)
  }
  const depth = around === undefined ? 0 : around.depth + 1
  if (depth > maxDepth) return report(around, key, `nested deeper than ${maxDepth} levels`, copying)
  if (copying.done?.has(value)) return copying.done.get(value)
  const copy = copyObject({ value, key, around, depth }, copying)
  // Nothing comes behind the outermost one.
  if (around !== undefined) {
    copying.done ??= new Map()
    copying.done.set(value, copy)
  }
  return copy
}

function copyObject(place: Place, copying: Copying): JsonValue | undefined {
  const { value, key, around } = place
  if (Array.isArray(value)) {
    // Not map, which leaves holes as they are.
    return Array.from(value, (item, index) => copyNode(item, place, index, copying) ?? null)
  }
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') return copyNode(toJSON.call(value), place, here, copying)
  const tag = tagOf(value)
  // Written as JSON, a Map or a RegExp would be an empty object and its content lost without a word.
  if (tag !== 'Object') return report(around, key, `a ${tag} is not a JSON value`, copying)
  const copy: Record<string, JsonValue> = {}
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    const copied = isForbiddenKey(key)
      ? void report(place, key, `the key "${key}" is not accepted`, copying)
      : copyNode((value as Record<string, unknown>)[key], place, key, copying)
    if (copied !== undefined) copy[key] = copied
  }
  return copy
}

/** The key of what stands for an object: it is in no path. */
const here = Symbol('here')

function report(around: Place | undefined, key: PropertyKey, message: string, copying: Copying): null {
  copying.issues ??= []
  copying.issues.push({ path: pathOf(around, key), message })
  return null
}

function pathOf(around: Place | undefined, key: PropertyKey): string {
  if (around === undefined) return ''
  const outer = pathOf(around.around, around.key)
  return key === here ? outer : joinPath(outer, key)
}

const frozen = new WeakSet<object>()

/** Freezes what {@link copyJson} made, and knows it again. */
export function freezeJson(value: JsonObject): JsonObject {
  frozen.add(deepFreeze(value))
  return value
}

/** Freezes a JSON value and everything in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (isObject(value) && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const key in value)
      if (Object.hasOwn(value, key)) deepFreeze((value as Record<string, unknown>)[key])
  }
  return value
}

/**
 * JSON text with the keys of every object in order, so that equal values give equal text (the idea of
 * RFC 8785; numbers are written as JavaScript writes them).
 */
export function canonicalJson(value: JsonValue): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    isRecord(member)
      ? Object.fromEntries(
          Object.keys(member)
            .sort()
            .map((key) => [key, member[key]]),
        )
      : member,
  )
}
