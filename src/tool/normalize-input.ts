import { resolveReference } from './check-json-schema.ts'
import { isRecord, type JsonObject, type JsonValue, joinPath } from './json-value.ts'

/** An input with its defaults filled in and its unknown keys gone. */
export interface NormalizedInput {
  readonly input: JsonObject
  /** Dotted paths of the keys that were dropped because the schema does not know them. */
  readonly droppedKeys: readonly string[]
}

/**
 * Brings an input into the form that everyone sees and that runs. At each node with `properties`: an
 * absent property with a `default` is filled in; a key that the schema does not know is dropped and
 * reported, unless `additionalProperties` says otherwise (`false`: the validator rejects it; `true` or a
 * schema: it is kept). In a union, a key stays if any branch that may apply knows it, and no default is
 * filled in unless exactly one branch may apply.
 */
export function normalizeInput(schema: JsonObject, input: JsonObject): NormalizedInput {
  const droppedKeys: string[] = []
  const result = visit([schema], input, '', schema, droppedKeys)
  return { input: result as JsonObject, droppedKeys }
}

function visit(
  schemas: readonly unknown[],
  value: JsonValue,
  path: string,
  root: JsonObject,
  dropped: string[],
): JsonValue {
  const nodes = expand(schemas, value, root)
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) =>
      visit(itemSchemas(nodes, index), item, joinPath(path, index), root, dropped),
    )
  }
  if (!isJsonRecord(value)) return value
  const shapes = nodes.filter((node) => isRecord(node.properties))
  return shapes.length === 0 ? value : visitObject(shapes, value, path, root, dropped)
}

function visitObject(
  shapes: readonly Record<string, unknown>[],
  value: JsonObject,
  path: string,
  root: JsonObject,
  dropped: string[],
): JsonObject {
  const result: Record<string, JsonValue> = {}
  for (const [key, member] of Object.entries(value)) {
    const known = propertySchemas(shapes, key)
    if (known.length > 0) result[key] = visit(known, member, joinPath(path, key), root, dropped)
    // `patternProperties` may know the key; the validator decides about those.
    else if (
      shapes.some((shape) => shape.additionalProperties !== undefined || 'patternProperties' in shape)
    ) {
      result[key] = member
    } else dropped.push(joinPath(path, key))
  }
  for (const shape of shapes) {
    for (const [key, property] of Object.entries(shape.properties as Record<string, unknown>)) {
      if (Object.hasOwn(result, key) || !isRecord(property) || property.default === undefined) continue
      result[key] = visit([property], property.default as JsonValue, joinPath(path, key), root, dropped)
    }
  }
  return result
}

function propertySchemas(shapes: readonly Record<string, unknown>[], key: string): unknown[] {
  return shapes.flatMap((shape) => {
    const properties = shape.properties as Record<string, unknown>
    return Object.hasOwn(properties, key) ? [properties[key]] : []
  })
}

function itemSchemas(nodes: readonly Record<string, unknown>[], index: number): unknown[] {
  return nodes.flatMap((node) => {
    const prefix = Array.isArray(node.prefixItems) ? node.prefixItems : []
    return index < prefix.length ? [prefix[index]] : [node.items]
  })
}

/** The schema nodes that speak about `value`: references followed, `allOf` merged, unions narrowed. */
function expand(
  schemas: readonly unknown[],
  value: JsonValue,
  root: JsonObject,
  depth = 0,
): Record<string, unknown>[] {
  // A reference to itself at the same value would never end.
  if (depth > 32) return []
  return schemas.filter(isRecord).flatMap((node) => {
    const more: unknown[] = []
    if (typeof node.$ref === 'string') more.push(resolveReference(node.$ref, root))
    if (Array.isArray(node.allOf)) more.push(...node.allOf)
    for (const union of [node.anyOf, node.oneOf]) {
      if (Array.isArray(union)) more.push(...applicable(union, value, root))
    }
    return [node, ...(more.length > 0 ? expand(more, value, root, depth + 1) : [])]
  })
}

// With several branches left, defaults are taken out: which branch applies is the validator's to say.
function applicable(branches: readonly unknown[], value: JsonValue, root: JsonObject): unknown[] {
  const left = branches
    .map((branch) =>
      isRecord(branch) && typeof branch.$ref === 'string' ? resolveReference(branch.$ref, root) : branch,
    )
    .filter((branch) => isRecord(branch) && mayApply(branch, value))
  return left.length === 1 ? left : left.map((branch) => withoutDefaults(branch as Record<string, unknown>))
}

function mayApply(branch: Record<string, unknown>, value: JsonValue): boolean {
  if (branch.type === 'null' && value !== null) return false
  if (branch.type === 'array' && !Array.isArray(value)) return false
  if (branch.type === 'object' && !isJsonRecord(value)) return false
  if (!isJsonRecord(value) || !isRecord(branch.properties)) return true
  return Object.entries(branch.properties).every(([key, property]) => {
    if (!isRecord(property) || !Object.hasOwn(value, key)) return true
    if ('const' in property) return property.const === value[key]
    return !Array.isArray(property.enum) || property.enum.includes(value[key])
  })
}

function withoutDefaults(branch: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(branch.properties)) return branch
  const properties = Object.entries(branch.properties).map(([key, property]) => {
    if (!isRecord(property)) return [key, property]
    const { default: _default, ...rest } = property
    return [key, rest]
  })
  return { ...branch, properties: Object.fromEntries(properties) as unknown }
}

function isJsonRecord(value: JsonValue): value is JsonObject {
  return isRecord(value)
}
