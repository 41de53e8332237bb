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

/** A branch with all that it refers to and consists of. */
function parts(branch: SchemaNode, root: JsonObject): readonly SchemaNode[] {
  const found = new Set<SchemaNode>()
  const add = (schema: unknown): void => {
    if (!isRecord(schema) || found.has(schema)) return
    found.add(schema)
    if (typeof schema.$ref === 'string') add(resolveReference(schema.$ref, root))
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) add(part)
  }
  add(branch)
  return [...found]
}

function mayApply(node: SchemaNode, value: JsonValue): boolean {
  if (!fitsType(node.type, value) || !fitsConstant(node, value)) return false
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return true
  const members = new Map<string, JsonValue>(Object.entries(value))
  const properties = isRecord(node.properties) ? node.properties : {}
  const required: readonly unknown[] = Array.isArray(node.required) ? node.required : []
  return (
    required.every((key) => members.has(String(key)) || hasDefault(properties[String(key)])) &&
    Object.entries(properties).every(([key, property]) => {
      const member = members.get(key)
      return member === undefined || !isRecord(property) || fitsConstant(property, member)
    })
  )
}

function hasDefault(property: unknown): boolean {
  return isRecord(property) && property.default !== undefined
}

function fitsType(type: unknown, value: JsonValue): boolean {
  if (type === undefined) return true
  const name = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  return names.includes(name) || (name === 'number' && names.includes('integer'))
}

// Objects and arrays are left to the validator: they are equal by content.
function fitsConstant(node: SchemaNode, value: JsonValue): boolean {
  const allowed: readonly unknown[] | undefined =
    'const' in node ? [node.const] : Array.isArray(node.enum) ? node.enum : undefined
  return allowed === undefined || allowed.some((item) => item === value || typeof item === 'object')
}
