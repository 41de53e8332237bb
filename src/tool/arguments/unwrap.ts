import type { JsonObject } from '../json-value.ts'
import { isRecord } from '../value-kinds.ts'
import { knowsKey, takesKeys } from './takes-keys.ts'

/**
 * The arguments in a wrapper `{ name, arguments }`: exactly these two keys, the tool's own name, and a schema that
 * has no field `arguments` itself. The wrapper is never taken for the arguments: `undefined` when what is inside
 * is not what the tool takes.
 */
export function unwrap(
  input: JsonObject,
  schema: JsonObject,
  toolNames: readonly string[],
): JsonObject | undefined {
  const { name, arguments: inner } = input
  const isWrapper =
    inner !== undefined &&
    typeof name === 'string' &&
    Object.keys(input).length === 2 &&
    toolNames.includes(name) &&
    !knowsKey(schema, input, 'arguments')
  if (!isWrapper) return input
  return isRecord(inner) && takesKeys(schema, inner as JsonObject) ? (inner as JsonObject) : undefined
}
