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
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether no input may hold this key. */
export function isForbiddenKey(key: string): boolean {
  return forbiddenKeys.has(key)
}

/** Whether a value is an object that is neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
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
  const copying: Copying = { issues: [], open: [], done: new Map() }
  const { issues } = copying
  const copy = copyNode(value, '', copying)
  return issues.length > 0 || copy === undefined
    ? { issues: issues.length > 0 ? issues : [{ path: '', message: 'expected a JSON value, got undefined' }] }
    : { value: copy }
}

interface Copying {
  readonly issues: ToolIssue[]
  /** The objects around the current value, outermost first. */
  readonly open: object[]
  /** Copies by their original: without them a graph would take as long as it has paths. */
  readonly done: Map<object, JsonValue | undefined>
}

function copyNode(value: unknown, path: string, copying: Copying): JsonValue | undefined {
  const { issues, open, done } = copying
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (value === undefined) return undefined
  // Adding 0 turns -0 into 0: JSON text shows no sign, and what is shown is what runs.
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value + 0 : report(issues, path, `${value} is not a JSON number`)
  }
  if (typeof value !== 'object') return report(issues, path, `a ${typeof value} is not a JSON value`)
  if (open.includes(value)) return report(issues, path, 'a cycle: it contains itself')
  if (open.length > maxDepth) return report(issues, path, `nested deeper than ${maxDepth} levels`)
  if (done.has(value)) return done.get(value)
  open.push(value)
  const copy = copyObject(value, path, copying)
  open.pop()
  done.set(value, copy)
  return copy
}

function copyObject(value: object, path: string, copying: Copying): JsonValue | undefined {
  if (Array.isArray(value)) {
    // Not map, which leaves holes as they are.
    return Array.from(value, (item, index) => copyNode(item, joinPath(path, index), copying) ?? null)
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyNode(value.toJSON(), path, copying)
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  // Written as JSON, a Map or a RegExp would be an empty object and its content lost without a word.
  if (tag !== 'Object') return report(copying.issues, path, `a ${tag} is not a JSON value`)
  const copy: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) {
    const memberPath = joinPath(path, key)
    if (isForbiddenKey(key)) {
      report(copying.issues, memberPath, `the key "${key}" is not accepted`)
      continue
    }
    const copied = copyNode(member, memberPath, copying)
    if (copied !== undefined) copy[key] = copied
  }
  return copy
}

function report(issues: ToolIssue[], path: string, message: string): null {
  issues.push({ path, message })
  return null
}

/** Freezes a JSON value and everything in it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/**
 * JSON text with the keys of every object in order, so that equal values give equal text (the idea of
 * RFC 8785; numbers are written as JavaScript writes them).
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`)
  return `{${members.join(',')}}`
}

// Array.isArray does not narrow readonly arrays.
function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
