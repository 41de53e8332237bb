import { defined } from '../../tool/defined.ts'
import type { ResponsePart } from '../../tool/tool-response.ts'
import { base64Bytes, decodeBase64, withoutDataPrefix } from './decode-base64.ts'
import { oneWord, readableSize } from './literal-line.ts'
import { decodeText, isTextType, readMediaType, typeForModels } from './media-type.ts'
import type { ContentKind, ResultTexts } from './result-texts.ts'

/** More files than this are only named. */
const maxFiles = 50
/** The files of one result that are decoded, together. In bytes. */
const maxTotalBytes = 25_000_000
/** One file that is decoded. In bytes. */
const maxFileBytes = 10_000_000

/** A file as a server sends it. */
export interface SentFile {
  readonly kind: ContentKind
  readonly data: string
  readonly mimeType?: unknown
  readonly name?: string
  /** Where it comes from, shown when it has no name. */
  readonly uri?: unknown
  /** The server says that it is for the person alone. */
  readonly forPerson?: boolean
}

/** What stands for a file in the text, and the file itself or its text, where it could be had. */
export interface ReadFile {
  readonly line: string
  readonly part?: ResponsePart
  readonly text?: string
}

/** Reads the files of one result; what is too much for a page is only named. */
export class FileReader {
  readonly #texts: ResultTexts
  #files = 0
  #bytes = 0

  constructor(texts: ResultTexts) {
    this.#texts = texts
  }

  /** A file whose bytes come as base64. Those of a text are decoded to it. */
  read(file: SentFile): ReadFile {
    const { kind, name, uri, mimeType } = file
    const data = withoutDataPrefix(file.data)
    const declared = readMediaType(mimeType)
    const told = name ?? oneWord(uri)
    const size = base64Bytes(data)
    const line = (type: string, bytes: number): string => details(told, type, bytes)
    if (size > maxFileBytes || this.#bytes + size > maxTotalBytes) {
      return { line: this.#texts.content(kind, line(declared, size), 'too-large') }
    }
    if (this.#files >= maxFiles) {
      return { line: this.#texts.content(kind, line(declared, size), 'too-many') }
    }
    const bytes = decodeBase64(data)
    if (bytes === undefined) {
      return { line: this.#texts.content(kind, line(declared, size), 'not-base64') }
    }
    const known = typeForModels(bytes)
    const mediaType = known ?? declared
    const part = this.#keep(bytes, mediaType, name ?? nameOf(uri), known === undefined || file.forPerson)
    const text = isTextType(mediaType) ? { text: decodeText(bytes, mediaType) } : {}
    return { line: this.#texts.content(kind, line(mediaType, bytes.length)), part, ...text }
  }

  /** A text that is a file of the server's: the model reads it as text, so that the file is the app's alone. */
  readText(text: string, uri: unknown, mimeType: unknown): ReadFile {
    const declared = mimeType === undefined ? 'text/plain' : readMediaType(mimeType)
    const line = this.#texts.content('resource', details(oneWord(uri), declared))
    const tooMuch =
      this.#files >= maxFiles || text.length > maxFileBytes || this.#bytes + text.length > maxTotalBytes
    if (tooMuch) return { line, text }
    return { line, text, part: this.#keep(new TextEncoder().encode(text), declared, nameOf(uri), true) }
  }

  #keep(
    data: Uint8Array,
    mediaType: string,
    name: string | undefined,
    appOnly: boolean | undefined,
  ): ResponsePart {
    this.#files += 1
    this.#bytes += data.length
    const type = isPicture(mediaType) ? 'image' : 'file'
    return defined({
      ...({ type, mediaType, data } as const),
      name,
      size: data.length,
      appOnly: appOnly ? (true as const) : undefined,
    })
  }
}

/** What is told of a file in a line: its name or address, its type, its size. */
export function details(name: string, type: string, bytes?: number): string {
  return [name, type, bytes === undefined ? '' : readableSize(bytes)].filter(Boolean).join(', ')
}

// An SVG can hold scripts: whoever shows pictures must not come across it as one.
function isPicture(mediaType: string): boolean {
  return /^image\/(?!svg)/i.test(mediaType)
}

/** The last segment of an address as a name. */
export function nameOf(uri: unknown): string | undefined {
  if (typeof uri !== 'string' || /^data:/i.test(uri)) return undefined
  const [path = ''] = uri.split(/[?#]/)
  return oneWord(path.slice(0, 2000).split('/').findLast(Boolean)) || undefined
}
