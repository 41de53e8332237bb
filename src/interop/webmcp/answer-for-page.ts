import type { JsonValue } from '../../tool/json-value.ts'
import type { ResponsePart } from '../../tool/tool-response.ts'
import type { ToolResult } from '../../tool/tool-result.ts'

/**
 * What an agent of the page is given for a result: its text, or content as of an MCP server (MCP 2025-11-25, "Tool
 * Result") where there is more to say. A failure is an answer, too: of what a tool throws, Chrome tells its agent
 * nothing.
 */
export function answerForPage({ response, outcome }: ToolResult): JsonValue {
  const { text, parts = [] } = response
  const isError = outcome !== 'success' && outcome !== 'partial'
  const shown = parts.filter(({ appOnly }) => appOnly !== true)
  if (!isError && shown.length === 0) return text
  const content = [{ type: 'text', text }, ...shown.map(partLine)]
  return isError ? { isError, content } : { content }
}

/** The draft has no place for bytes: what is there is said. */
function partLine({ type, mediaType, name, data }: ResponsePart): JsonValue {
  const uri = typeof data === 'string' && /^https?:/.test(data) ? data : undefined
  const title = name ?? `${type} (${mediaType})`
  return uri === undefined
    ? { type: 'text', text: `[${title}]` }
    : { type: 'resource_link', uri, name: title, mimeType: mediaType }
}
