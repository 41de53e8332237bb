import { resolveReference } from './check-json-schema.ts'
import { isRecord, type JsonObject, type JsonValue } from './json-value.ts'

/** A JSON Schema that is an object, not `true` or `false`. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** What is left of a union for one value. */
export interface UnionBranches {
  readonly branches: readonly SchemaNode[]
  /** Exactly one branch may apply. */
  readonly decided: boolean
  /** One of several branches that may apply names no keys, and so takes any. */
  readonly takesAnyKey: boolean
}

/**
 * The branches of an `anyOf` or `oneOf` that may apply to a value, judged by type, by constants and by
 * required keys. When none may, the value is wrong anyway and all are given, so that nothing is lost
 * before the validator says why.
 */
export function unionBranches(
  branches: readonly unknown[],
  value: JsonValue,
  root: JsonObject,
): UnionBranches {
  const nodes = branches.filter(isRecord)
  const able = nodes.filter((node) => parts(node, root).every((part) => mayApply(part, value)))
  const left = able.length === 0 ? nodes : able
  const decided = able.length === 1 && !branches.includes(true)
  const takesAnyKey = branches.includes(true) || left.some((node) => !namesKeys(node, root))
  return { branches: left, decided, takesAnyKey: takesAnyKey && !decided }
}

// A union inside the branch is looked at by itself.
function namesKeys(branch: SchemaNode, root: JsonObject): boolean {
  return parts(branch, root).some(
    ({ properties, anyOf, oneOf }) => isRecord(properties) || Array.isArray(anyOf) || Array.isArray(oneOf),
  )
}

/** A schema with all that it refers to and consists of; nothing when it is not an object. */
export function parts(schema: unknown, root: JsonObject): readonly SchemaNode[] {
  const found = new Set<unknown>([schema])
  for (const node of found) {
    if (!isRecord(node)) continue
    if (typeof node.$ref === 'string') found.add(resolveReference(node.$ref, root))
    if (Array.isArray(node.allOf)) for (const part of node.allOf) found.add(part)
  }
  return [...found].filter(isRecord)
}

function mayApply(node: SchemaNode, value: JsonValue): boolean {
  const { type, properties, required } = node
  if (!fitsType(type, value) || !fitsConstant(node, value)) return false
  if (!isRecord(value)) return true
  const known = isRecord(properties) ? properties : {}
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return (
    needed.every((key) => {
      const property = known[String(key)]
      return Object.hasOwn(value, String(key)) || (isRecord(property) && property.default !== undefined)
    }) &&
    Object.entries(known).every(([key, property]) => {
      return !Object.hasOwn(value, key) || !isRecord(property) || fitsConstant(property, value[key])
    })
  )
}

function fitsType(type: unknown, value: JsonValue): boolean {
  if (type === undefined) return true
  const name = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const names = [type].flat()
  return names.includes(name) || (name === 'number' && names.includes('integer'))
}

// Objects and arrays are left to the validator: they are equal by content.
function fitsConstant(node: SchemaNode, value: unknown): boolean {
  const allowed = 'const' in node ? [node.const] : node.enum
  return !Array.isArray(allowed) || allowed.some((item) => item === value || typeof item === 'object')
}
