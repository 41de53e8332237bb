import { resolveReference } from '../tool/check-json-schema.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import { mergeNodes, never, type PlainNode } from './merge-nodes.ts'

/**
 * A schema as one object: references followed wherever they point, `allOf` merged, and what draft-04 and draft-07 said
 * otherwise said as 2020-12 does. Its members stay as they are.
 *
 * @param opened - Gets what references led to.
 * @throws {@link ToolRegistrationError} for what is no schema, and for a reference that leads nowhere.
 */
export function plainNode(
  raw: unknown,
  root: JsonObject,
  path: string,
  opened: unknown[],
  around: readonly unknown[] = [],
): PlainNode {
  if (raw === true) return {}
  if (raw === false) return never
  if (!isRecord(raw)) throw fault(path, `expected a schema, got ${JSON.stringify(raw) ?? typeof raw}`)
  const { $ref, allOf, ...rest } = raw
  const parts = asList(allOf)
  const own = modern(rest)
  let node = own
  if ($ref !== undefined) {
    const target = followed($ref, root, path)
    // A reference that meets itself before any value lies between says nothing.
    if (around.includes(target))
      throw fault(path, `the reference ${JSON.stringify($ref)} leads back to itself`)
    opened.push(target)
    node = mergeNodes(node, plainNode(target, root, path, opened, [...around, target]))
  }
  for (const part of parts) node = mergeNodes(node, plainNode(part, root, path, opened, around))
  return node
}

/** What a reference points at. */
export function followed(reference: unknown, root: JsonObject, path: string): unknown {
  const isLocal = typeof reference === 'string' && /^#(\/|$)/.test(reference)
  const target = isLocal ? resolveReference(reference, root) : undefined
  if (target !== undefined) return target
  throw fault(path, `the reference ${JSON.stringify(reference)} leads to nothing in this schema`)
}

/** What is wrong with a schema. */
export function fault(path: string, reason: string): ToolRegistrationError {
  return new ToolRegistrationError(`${path === '' ? 'the schema' : `the schema at "${path}"`}: ${reason}.`)
}

function modern(node: PlainNode): PlainNode {
  const { const: constant, items, additionalItems, dependencies, ...rest } = node
  const made: PlainNode = rest
  if ('const' in node) {
    // Both: the value must be in the list as well.
    const both = node.enum === undefined ? {} : mergeNodes({ enum: [constant] }, { enum: node.enum })
    if (both === never) return never
    made.enum = [constant]
  }
  if (Array.isArray(items)) {
    made.prefixItems = items
    if (additionalItems !== undefined) made.items = additionalItems
  } else if (items !== undefined) made.items = items
  if (isRecord(dependencies)) made.dependentSchemas = dependencies
  return withNumericBounds(made)
}

// In draft-04 they only say how to read the other one.
function withNumericBounds(node: PlainNode): PlainNode {
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof node[flag] !== 'boolean') continue
    const isExclusive = node[flag] === true && node[bound] !== undefined
    if (isExclusive) node[flag] = node[bound]
    else delete node[flag]
    if (isExclusive) delete node[bound]
  }
  return node
}
