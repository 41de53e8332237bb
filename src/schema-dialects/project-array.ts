import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'
import { arrayCodec } from './codecs.ts'
import { isNever, type PlainNode } from './merge-nodes.ts'
import { anyValue, boundsFor } from './project-values.ts'
import type { Projected } from './projected.ts'
import { briefJson, itemPath, lose, type Place, say } from './projecting.ts'

/** An array, whose items are always described: by one schema, as no provider is sure to take several. */
export function projectArray(node: PlainNode, place: Place): Projected {
  const { contains, minContains, maxContains, unevaluatedItems } = node
  if (contains !== undefined) say(place, 'contains', contains, 'contains')
  for (const [lost, value] of Object.entries({ minContains, maxContains, unevaluatedItems })) {
    if (value !== undefined) say(place, 'matches', { [lost]: value }, lost)
  }
  const at = { ...place, path: itemPath(place.path) }
  const { part } = place.projecting
  const given = asList(node.prefixItems)
  if (given.length > 0) return projectTuple(given, node, place)
  if (isNever(node.items)) {
    return {
      schema: { type: 'array', items: anyValue(at), ...boundsFor('array', { ...node, maxItems: 0 }, place) },
    }
  }
  const item = isRecord(node.items) ? part(node.items, at.path) : { schema: anyValue(at) }
  const schema = { type: 'array', items: item.schema, ...boundsFor('array', node, place) }
  return { schema, codec: arrayCodec([], item.codec) }
}

function projectTuple(given: readonly unknown[], node: PlainNode, place: Place): Projected {
  const { part } = place.projecting
  const path = itemPath(place.path)
  const places = given.map((raw) => part(raw, path))
  const isEnded = node.items === undefined || isNever(node.items)
  const rest = isRecord(node.items) && !isEnded ? part(node.items, path) : undefined
  const all = [...places, ...(rest === undefined ? [] : [rest])].map(({ schema }) => schema)
  // As good as always there is just one item for each place.
  const maxItems = isEnded ? Math.min(given.length, Number(node.maxItems ?? given.length)) : node.maxItems
  const order = [...all.map(kindText), ...(rest === undefined ? [] : ['…'])]
  say(place, 'tuple', order.join(', '), 'prefixItems')
  if (isEnded && !isNever(node.items)) lose(place, 'items behind those of prefixItems', 'none')
  const bounds = boundsFor('array', { ...node, maxItems }, place)
  const schema = { type: 'array', items: oneOfThese(all), ...bounds }
  return {
    schema,
    codec: arrayCodec(
      places.map(({ codec }) => codec),
      rest?.codec,
    ),
  }
}

/** One schema for all of these. */
function oneOfThese(schemas: readonly JsonObject[]): JsonObject {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1
    ? (different[0] as JsonObject)
    : { anyOf: different as JsonValue[] as readonly JsonValue[] }
}

function kindText(schema: JsonObject): string {
  const { type, description } = schema
  const kind = typeof type === 'string' ? type : Array.isArray(type) ? type.join(' | ') : briefJson(schema)
  return typeof description === 'string' ? `${kind} (${description})` : kind
}
