import { defined } from '../../tool/defined.ts'
import type { ResponsePart } from '../../tool/tool-response.ts'
import { asList, isRecord } from '../../tool/value-kinds.ts'
import { details, FileReader, nameOf, type ReadFile } from './file-reader.ts'
import { oneWord, wellFormed } from './literal-line.ts'
import { readMediaType } from './media-type.ts'
import type { ResultTexts } from './result-texts.ts'

/** More pieces of content than this are not looked at. */
const maxBlocks = 1_000

/** Content of a server as the library holds it. */
export interface ReadContent {
  /** The texts in their order, well-formed; a line stands where something is that is no text. */
  readonly lines: readonly string[]
  readonly parts: readonly ResponsePart[]
  /** Whether the server itself said something in words. */
  readonly hasText: boolean
}

type Block = Record<string, unknown>

/**
 * Reads the content of a tool's result or of a prompt's message (MCP 2025-11-25, "Tool Result"). Never throws: what
 * cannot be read is named in a line. Bytes are kept as parts and never become text, unless they are text.
 */
export function readContent(content: unknown, texts: ResultTexts): ReadContent {
  const blocks = blocksOf(content)
  const files = new FileReader(texts)
  const read = blocks.slice(0, maxBlocks).map((block) => readBlock(block, files, texts))
  const lines = read.flatMap(({ line, text }) => [line, text].filter((part) => part !== undefined))
  if (blocks.length > maxBlocks) lines.push(texts.moreContent(blocks.length - maxBlocks))
  return {
    lines: lines.map(wellFormed),
    parts: read.flatMap(({ part }) => part ?? []),
    hasText: read.some(({ text }) => text !== undefined && text.trim() !== ''),
  }
}

// Some servers give one piece, or its text, where the protocol wants a list.
function blocksOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : [content]
}

function readBlock(block: unknown, files: FileReader, texts: ResultTexts): Partial<ReadFile> {
  if (!isRecord(block)) return { line: texts.unreadableContent }
  const { type, data, mimeType } = block
  if (type === 'text' && typeof block.text === 'string') return { text: block.text }
  if ((type === 'image' || type === 'audio') && typeof data === 'string') {
    return files.read({ kind: type, data, mimeType, forPerson: isForPerson(block) })
  }
  if (type === 'resource' && isRecord(block.resource))
    return readResource(block, block.resource, files, texts)
  if (type === 'resource_link' && typeof block.uri === 'string') return readLink(block, block.uri, texts)
  const isKnown = ['text', 'image', 'audio', 'resource', 'resource_link'].includes(String(type))
  const isNamed = typeof type === 'string' && type !== '' && !isKnown
  return { line: isNamed ? texts.unknownContent(oneWord(type)) : texts.unreadableContent }
}

function readResource(
  block: Block,
  resource: Block,
  files: FileReader,
  texts: ResultTexts,
): Partial<ReadFile> {
  const { uri, mimeType, text, blob } = resource
  if (typeof text === 'string') return files.readText(text, uri, mimeType)
  if (typeof blob !== 'string') return { line: texts.unreadableContent }
  return files.read({ kind: 'file', data: blob, mimeType, uri, forPerson: isForPerson(block) })
}

// A model's provider would fetch the address; whether that is done is the app's to say.
function readLink(block: Block, uri: string, texts: ResultTexts): ReadFile {
  const { mimeType, size } = block
  const mediaType = readMediaType(mimeType)
  const bytes = typeof size === 'number' && size >= 0 ? Math.floor(size) : undefined
  const title = oneWord(block.title) || oneWord(block.name) || undefined
  const told = [title, oneWord(uri), oneWord(block.description)].filter(Boolean).join(', ')
  const line = texts.content('link', details(told, mimeType === undefined ? '' : mediaType, bytes))
  const name = oneWord(block.name) || nameOf(uri)
  const part = { type: 'file', mediaType, data: uri, appOnly: true } as const
  return { line, part: defined({ ...part, name, size: bytes }) }
}

/** MCP "Annotations": whom the content is meant for. */
function isForPerson({ annotations }: Block): boolean {
  const audience = isRecord(annotations) ? asList(annotations.audience) : []
  return audience.includes('user') && !audience.includes('assistant')
}
