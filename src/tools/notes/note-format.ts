import { isRecord } from '../../tool/value-kinds.ts'

// A note is a file of JSON lines: first what it is and its path, then each append. So an append may hold anything,
// line ends too, and a line that was cut off is told from a whole one.

/** What a file of a note holds. */
export interface NoteContent {
  readonly path: string
  /** All appends one after the other, each with a line end behind it. */
  readonly text: string
  /** Lines that cannot be read: the storage damaged them. */
  readonly damagedLines: number
}

const version = 1

/** The first line of a note's file. */
export function headerLine(path: string): string {
  return `${JSON.stringify({ note: version, path })}\n`
}

/** The line of one append. */
export function entryLine(content: string): string {
  return `${JSON.stringify({ text: content })}\n`
}

/** The path in the first line of a file; undefined when that is not the file of a note. */
export function readHeader(line: string): string | undefined {
  const header = parseLine(line)
  return header?.note === version && typeof header.path === 'string' ? header.path : undefined
}

/** Reads the whole lines of the file of this note; undefined when there is no append in it. */
export function readContent(lines: string, path: string): NoteContent | undefined {
  const [first = '', ...rest] = lines.slice(0, -1).split('\n')
  if (rest.length === 0) return undefined
  const entries = rest.map((line) => parseLine(line)?.text)
  const readable = entries.filter((entry) => typeof entry === 'string')
  const text = readable.map((entry) => (entry.endsWith('\n') ? entry : `${entry}\n`)).join('')
  const damagedHeader = readHeader(first) === path ? 0 : 1
  return { path, text, damagedLines: damagedHeader + rest.length - readable.length }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
