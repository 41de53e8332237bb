import { joinPath } from './json-value.ts'
import { tagOf } from './value-kinds.ts'

/** The first part of a value that cannot cross a thread. */
export interface Uncloneable {
  /** Dotted path from the root; empty for the value itself. */
  readonly path: string
  /** What stands there, for example "a function". */
  readonly what: string
}

/** How class instances are seen: they cross, but arrive without their class and its methods. */
export interface CloneRules {
  readonly classInstances: 'refuse' | 'keep-fields'
}

/** Deeper nesting than this is left to the engine to judge: recursion must end. */
const maxDepth = 1_000

/**
 * Finds the first part of a value that structured cloning would refuse, without cloning the value. Objects
 * that only the engine can judge (a Proxy) may slip through.
 */
export function findUncloneable(value: unknown, rules: CloneRules): Uncloneable | undefined {
  return visit(value, [], rules, new Set())
}

/** As {@link findUncloneable}, and then lets the engine judge: at the price of one clone it misses nothing. */
export function findUncloneableExactly(value: unknown, rules: CloneRules): Uncloneable | undefined {
  const found = findUncloneable(value, rules)
  if (found !== undefined || tryClone(value) !== undefined) return found
  return narrow(value, '')
}

type Path = readonly PropertyKey[]

function visit(value: unknown, path: Path, rules: CloneRules, seen: Set<object>): Uncloneable | undefined {
  if (typeof value === 'function') return { path: pathText(path), what: 'a function' }
  if (typeof value === 'symbol') return { path: pathText(path), what: 'a symbol' }
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  if (path.length > maxDepth) return undefined
  const members = membersOf(value, rules)
  if (members === undefined) return judgeWhole(value, path, rules)
  for (const [key, member] of members) {
    // Most of a large value is numbers and strings, which always cross.
    if (isSimple(member)) continue
    const found = visit(member, [...path, key], rules, seen)
    if (found !== undefined) return found
  }
  return undefined
}

function isSimple(value: unknown): boolean {
  return (
    value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol')
  )
}

/** What to look into; undefined for objects that are cloned, or refused, as a whole. */
function membersOf(value: object, rules: CloneRules): Iterable<[PropertyKey, unknown]> | undefined {
  // A class of the app that extends one of these loses its methods, as every class does.
  const native = rules.classInstances === 'keep-fields' || className(value) === tagOf(value)
  if (Array.isArray(value)) return native ? value.entries() : undefined
  if (value instanceof Map) return native ? mapMembers(value) : undefined
  if (value instanceof Set) return native ? Array.from(value).entries() : undefined
  if (isPlain(value)) return Object.entries(value)
  const plainFields = rules.classInstances === 'keep-fields' && tagOf(value) === 'Object'
  return plainFields ? Object.entries(value) : undefined
}

function mapMembers(map: ReadonlyMap<unknown, unknown>): [PropertyKey, unknown][] {
  return Array.from(map).flatMap(([key, item]): [PropertyKey, unknown][] => [
    [`${label(key)} (key)`, key],
    [label(key), item],
  ])
}

function judgeWhole(value: object, path: Path, rules: CloneRules): Uncloneable | undefined {
  if (rules.classInstances === 'keep-fields') {
    return tryClone(value) === undefined
      ? { path: pathText(path), what: withArticle(className(value)) }
      : undefined
  }
  // What is not the engine's own comes back as something else: an object, an Error or a Map without the class.
  const made = `an instance of the class ${className(value)}`
  if (tagOf(value) === 'Object') return { path: pathText(path), what: made }
  const cloned = tryClone(value)
  if (cloned === undefined) return { path: pathText(path), what: withArticle(className(value)) }
  return className(cloned.clone) === className(value) ? undefined : { path: pathText(path), what: made }
}

function narrow(value: unknown, path: string): Uncloneable {
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!isSimple(member) && tryClone(member) === undefined) return narrow(member, joinPath(path, key))
    }
  }
  return { path, what: 'a Proxy or another object that only looks plain (Svelte: pass $state.snapshot(…))' }
}

/** The clone of a value, in a box; undefined when the engine refuses to make one. */
function tryClone<T>(value: T): { readonly clone: T } | undefined {
  try {
    return { clone: structuredClone(value) }
  } catch {
    return undefined
  }
}

function pathText(path: Path): string {
  return path.map(String).join('.')
}

// By shape, not by identity: an object of another realm has another Object.prototype.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || (Object.getPrototypeOf(prototype) === null && tagOf(value) === 'Object')
}

function className(value: object): string {
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? made.name : tagOf(value)
}

function withArticle(name: string): string {
  return `${/^[AEIOU]/.test(name) ? 'an' : 'a'} ${name}`
}

function label(key: unknown): string {
  return typeof key === 'object' && key !== null ? tagOf(key) : String(key)
}
