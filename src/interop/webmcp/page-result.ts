import type { JsonObject } from '../../tool/json-value.ts'
import { isObject, isRecord } from '../../tool/value-kinds.ts'

/** A longer text is not looked into. */
const maxParsedChars = 10 * 1024 * 1024

/**
 * What `executeTool` gave, as an MCP server would answer: content where the page gives such, JSON as structured data, and
 * all else as text. Browsers give JSON text of objects, and the text of anything else.
 */
export function pageResult(raw: unknown): JsonObject {
  if (raw === null || raw === undefined) return { content: [] }
  const value = typeof raw === 'string' ? valueIn(raw) : raw
  if (isRecord(value) && Array.isArray(value.content)) return value as JsonObject
  const text = typeof raw === 'string' ? raw : JSON.stringify(raw)
  const content = [{ type: 'text', text: text ?? String(raw) }]
  return isObject(value) ? { content, structuredContent: value as JsonObject } : { content }
}

/** The object or list that a text is JSON of. */
function valueIn(text: string): unknown {
  if (!/^\s*[[{]/.test(text) || text.length > maxParsedChars) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
