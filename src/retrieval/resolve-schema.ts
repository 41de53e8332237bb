import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** A schema that is larger when it is written out is cut: what is left out says nothing of its values. */
const maxNodes = 2_000

const namedSchemas = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const plainData = new Set(['const', 'enum', 'default', 'examples', 'required', 'dependentRequired'])
const dropped = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions'],
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$comment'],
])

/**
 * A schema with its references written out, for a text that a model reads: a provider may take a `$ref` in a result for
 * one of its own. Where a schema contains itself, the inner one only says its type and what it is.
 */
export function resolveSchema(root: JsonObject): JsonObject {
  let nodes = 0
  const target = (ref: string): JsonValue | undefined => {
    let node: JsonValue | undefined = root
    for (const part of ref.split('/').slice(1)) {
      const key = unescaped(part)
      node = isRecord(node) && Object.hasOwn(node, key) ? (node as JsonObject)[key] : undefined
    }
    return ref === '#' || ref.startsWith('#/') ? node : undefined
  }
  const resolve = (node: JsonValue, open: readonly string[]): JsonValue => {
    if (Array.isArray(node)) return node.map((item: JsonValue) => resolve(item, open))
    if (!isRecord(node)) return node
    nodes += 1
    if (nodes > maxNodes) return {}
    const { $ref } = node
    const kept = Object.entries(node as JsonObject).filter(([key]) => !dropped.has(key))
    const own = Object.fromEntries(kept.map(([key, value]) => [key, member(key, value, open)]))
    if (typeof $ref !== 'string') return own
    const meant = target($ref)
    if (!isRecord(meant)) return own
    const whole = open.includes($ref)
      ? brief(meant as JsonObject)
      : resolve(meant as JsonObject, [...open, $ref])
    return { ...(whole as JsonObject), ...own }
  }
  const member = (key: string, value: JsonValue, open: readonly string[]): JsonValue => {
    if (plainData.has(key)) return value
    if (!namedSchemas.has(key) || !isRecord(value)) return resolve(value, open)
    const entries = Object.entries(value as JsonObject)
    return Object.fromEntries(entries.map(([name, schema]) => [name, resolve(schema, open)]))
  }
  return resolve(root, ['#']) as JsonObject
}

function brief({ type, description }: JsonObject): JsonObject {
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
  }
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}
