import type { JsonObject } from '../tool/json-value.ts'
import { asList, isRecord } from '../tool/value-kinds.ts'

// https://platform.openai.com/docs/guides/structured-outputs#supported-schemas; Anthropic names no numbers of its own.
const maxKeys = 5_000
const maxLevels = 10
const maxChars = 120_000
const maxValues = 1_000

/** Why a schema is too large for strict mode; undefined when it is not. */
export function strictFault(schema: JsonObject): string | undefined {
  const count = { keys: 0, chars: 0, values: 0, levels: 0 }
  const visit = (node: unknown, level: number) => {
    if (!isRecord(node)) return
    const { properties, items, anyOf, $defs } = node
    const values = asList(node.enum)
    count.values += values.length
    for (const value of values) count.chars += String(value).length
    count.levels = Math.max(count.levels, level)
    for (const [key, member] of [...entries(properties), ...entries($defs)]) {
      count.chars += key.length
      visit(member, level + 1)
    }
    count.keys += entries(properties).length
    visit(items, level + 1)
    for (const branch of asList(anyOf)) visit(branch, level)
  }
  visit(schema, 0)
  if (count.keys > maxKeys) return `it has ${count.keys} keys, more than ${maxKeys}`
  if (count.levels > maxLevels) return `it is nested ${count.levels} levels deep, more than ${maxLevels}`
  if (count.values > maxValues) return `it has ${count.values} values in lists, more than ${maxValues}`
  return count.chars > maxChars
    ? `it has ${count.chars} characters in keys and lists, more than ${maxChars}`
    : undefined
}

function entries(map: unknown): [string, unknown][] {
  return isRecord(map) ? Object.entries(map) : []
}
