import type { FilePart } from '../../agent/message.ts'
import type { JsonValue } from '../../tool/json-value.ts'
import type { HostResult } from '../host-calls.ts'

/**
 * What an agent of the page is given for a result: its text, or content as of an MCP server (MCP 2025-11-25, "Tool
 * Result") where there is more to say. A failure is an answer, too: of what a tool throws, Chrome tells its agent
 * nothing.
 */
export function answerForPage({ text, parts, isOk }: HostResult): JsonValue {
  if (isOk && parts.length === 0) return text
  const content = [{ type: 'text', text }, ...parts.map(partOf)]
  return isOk ? { content } : { isError: true, content }
}

function partOf({ type, mediaType: mimeType, data, name }: FilePart): JsonValue {
  if (/^https?:/.test(data)) return { type: 'resource_link', uri: data, name: name ?? type, mimeType }
  if (type === 'image') return { type, data, mimeType }
  return {
    type: 'resource',
    resource: { uri: `file:///${encodeURIComponent(name ?? type)}`, blob: data, mimeType },
  }
}
