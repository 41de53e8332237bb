import { defined } from '../../tool/defined.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { asList, isRecord } from '../../tool/value-kinds.ts'
import { base64Bytes, decodeBase64, withoutDataPrefix } from './decode-base64.ts'
import { wellFormed } from './literal-line.ts'
import { decodeText, isTextType, readMediaType } from './media-type.ts'
import { readMeta } from './read-meta.ts'

/** More contents of one resource than this are left out. */
const maxContents = 1_000
/** Contents with more than this are left out. In bytes. */
const maxContentBytes = 50_000_000

/** One piece of what a resource holds: a text or bytes. */
export interface ResourceContent {
  readonly uri: string
  /** `application/octet-stream` when the server does not say; for a text `text/plain`. */
  readonly mediaType: string
  readonly text?: string
  /** Set when it is no text. */
  readonly bytes?: Uint8Array
  /** In bytes; in characters for a text. */
  readonly size: number
  /** The server's own, as it came; left out where it is larger than 64 KiB or nested deeper than 32 levels. */
  readonly _meta?: JsonObject
}

/** What a resource holds, and how much of it could not be read. */
export interface ResourceContents {
  readonly contents: readonly ResourceContent[]
  /** Pieces that are no contents at all, are no base64, or are too large. */
  readonly leftOut: number
}

/**
 * Reads what a server answered to `resources/read`. Blobs whose type says that they are text are decoded to it. Never
 * throws: what cannot be read is counted.
 */
export function readResourceContents(raw: JsonObject): ResourceContents {
  const given = asList(raw.contents)
  const contents = given.slice(0, maxContents).flatMap((piece) => readPiece(piece) ?? [])
  return { contents, leftOut: given.length - contents.length }
}

function readPiece(piece: unknown): ResourceContent | undefined {
  if (!isRecord(piece)) return undefined
  const { text, blob, mimeType, _meta } = piece
  const about = defined({
    uri: typeof piece.uri === 'string' ? wellFormed(piece.uri) : '',
    _meta: readMeta(_meta)._meta,
  })
  if (typeof text === 'string') {
    const mediaType = mimeType === undefined ? 'text/plain' : readMediaType(mimeType)
    return { ...about, mediaType, text: wellFormed(text), size: text.length }
  }
  if (typeof blob !== 'string') return undefined
  const data = withoutDataPrefix(blob)
  const bytes = base64Bytes(data) > maxContentBytes ? undefined : decodeBase64(data)
  if (bytes === undefined) return undefined
  const mediaType = readMediaType(mimeType)
  if (!isTextType(mediaType)) return { ...about, mediaType, bytes, size: bytes.length }
  const decoded = decodeText(bytes, mediaType)
  return { ...about, mediaType, text: decoded, size: decoded.length }
}
