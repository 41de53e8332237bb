import { joinPath } from './json-value.ts'

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

/**
 * Finds the first part of a value that structured cloning would refuse, without cloning the value. Objects
 * that only the engine can judge (a Proxy) may slip through.
 */
export function findUncloneable(value: unknown, rules: CloneRules): Uncloneable | undefined {
  return visit(value, '', rules, new Set())
}

/** As {@link findUncloneable}, and then lets the engine judge: at the price of one clone it misses nothing. */
export function findUncloneableExactly(value: unknown, rules: CloneRules): Uncloneable | undefined {
  const found = findUncloneable(value, rules)
  if (found !== undefined || canClone(value)) return found
  return narrow(value, '')
}

function visit(value: unknown, path: string, rules: CloneRules, seen: Set<object>): Uncloneable | undefined {
  if (typeof value === 'function') return { path, what: 'a function' }
  if (typeof value === 'symbol') return { path, what: 'a symbol' }
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  const members = membersOf(value, rules)
  if (members === undefined) return judgeWhole(value, path, rules)
  for (const [key, member] of members) {
    const found = visit(member, joinPath(path, key), rules, seen)
    if (found !== undefined) return found
  }
  return undefined
}

/** What to look into; undefined for objects that are cloned, or refused, as a whole. */
function membersOf(value: object, rules: CloneRules): Iterable<[PropertyKey, unknown]> | undefined {
  if (Array.isArray(value)) return value.entries()
  if (value instanceof Map)
    return Array.from(value).flatMap(([key, item]) => [
      [`${label(key)} (key)`, key],
      [label(key), item],
    ])
  if (value instanceof Set) return Array.from(value).entries()
  if (isPlain(value)) return Object.entries(value)
  const plainFields = rules.classInstances === 'keep-fields' && tagOf(value) === 'Object'
  return plainFields ? Object.entries(value) : undefined
}

function judgeWhole(value: object, path: string, rules: CloneRules): Uncloneable | undefined {
  if (rules.classInstances === 'refuse' && tagOf(value) === 'Object') {
    return { path, what: `an instance of the class ${className(value)}` }
  }
  return canClone(value) ? undefined : { path, what: `a ${className(value)}` }
}

function narrow(value: unknown, path: string): Uncloneable {
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (!canClone(member)) return narrow(member, joinPath(path, key))
    }
  }
  return { path, what: 'a Proxy or another object that only looks plain (Svelte: pass $state.snapshot(…))' }
}

function canClone(value: unknown): boolean {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}

// By shape, not by identity: an object of another realm has another Object.prototype.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || (Object.getPrototypeOf(prototype) === null && tagOf(value) === 'Object')
}

function tagOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1)
}

function className(value: object): string {
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? made.name : tagOf(value)
}

function label(key: unknown): string {
  return typeof key === 'object' && key !== null ? tagOf(key) : String(key)
}
