import { type ResponsePart, ToolResponse } from '../tool/tool-response.ts'
import { isRecord } from '../tool/value-kinds.ts'

/**
 * What `toModelOutput` of an AI SDK tool gave, as a response of ours. Pieces of kinds that are not known are named in the
 * text.
 */
export function responseOf(modelOutput: unknown, output: unknown): ToolResponse {
  const { type, value, reason } = Object(modelOutput) as Record<string, unknown>
  const data = output === undefined ? {} : { data: output }
  switch (type) {
    case 'text':
      return ToolResponse.ok(String(value), data)
    case 'error-text':
      return ToolResponse.error(String(value), data)
    case 'error-json':
      return ToolResponse.error(JSON.stringify(value) ?? '', data)
    case 'execution-denied':
      return ToolResponse.error(typeof reason === 'string' ? reason : 'The tool was not run.', data)
    case 'content':
      return contentResponse(Array.isArray(value) ? value : [], data)
    default:
      return ToolResponse.ok(JSON.stringify(value) ?? '', data)
  }
}

function contentResponse(pieces: readonly unknown[], data: { readonly data?: unknown }): ToolResponse {
  const lines: string[] = []
  const parts: ResponsePart[] = []
  for (const piece of pieces) {
    const part = partOf(piece)
    const { type, text } = Object(piece) as Record<string, unknown>
    if (part !== undefined) parts.push(part)
    else lines.push(type === 'text' ? String(text) : `[${String(type)}]`)
  }
  return ToolResponse.ok(lines.join('\n'), parts.length > 0 ? { ...data, parts } : data)
}

/** Version 6 has a kind for each way of telling bytes, version 7 one kind with the way inside. */
function partOf(piece: unknown): ResponsePart | undefined {
  if (!isRecord(piece) || piece.type === 'text') return undefined
  const inner = Object(piece.data) as Record<string, unknown>
  const data = [piece.url, piece.data, inner.data, inner.url].find(isData)
  if (data === undefined) return undefined
  const mediaType = typeof piece.mediaType === 'string' ? piece.mediaType : 'application/octet-stream'
  const isImage = String(piece.type).startsWith('image') || mediaType.startsWith('image')
  return { type: isImage ? 'image' : 'file', mediaType, data: data instanceof URL ? data.href : data }
}

function isData(value: unknown): value is string | Uint8Array | ArrayBuffer | URL {
  return (
    typeof value === 'string' ||
    value instanceof Uint8Array ||
    value instanceof ArrayBuffer ||
    value instanceof URL
  )
}
