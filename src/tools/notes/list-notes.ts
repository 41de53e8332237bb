import type { LineFile, LineFiles } from '../../storage/line-files.ts'
import { recoveredName, recoveredPath } from './damaged-note.ts'
import { headerLine, readContent, readHeader } from './note-format.ts'
import { noteId } from './note-id.ts'

/** A note in a list. */
export interface NoteEntry {
  /**
   * Of a note whose first line the storage has damaged, with the path in it, a path that begins with `recovered/`: by
   * that it is read, searched, exported and deleted like any other.
   */
  readonly path: string
  /** In bytes, as it is stored. */
  readonly size: number
  /** When it was last written, in milliseconds since 1970. */
  readonly changedAt: number
}

/** All notes, in the order of their paths (by UTF-16 unit). */
export async function listNotes(files: LineFiles): Promise<readonly NoteEntry[]> {
  const entries: NoteEntry[] = []
  for (const file of await files.list()) {
    const path = await pathOf(file, files)
    if (path !== undefined) entries.push({ path, size: file.size, changedAt: file.changedAt })
  }
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** The name of the file that a path is kept in. */
export async function fileOf(path: string, files: LineFiles): Promise<string> {
  const name = recoveredName(path)
  const lines = name === undefined ? undefined : await files.read(name)
  const isLost =
    lines !== undefined && (await ownPath(lines.slice(0, lines.indexOf('\n')), name)) === undefined
  return name !== undefined && isLost ? name : noteId(path)
}

async function pathOf({ name, firstLine, size }: LineFile, files: LineFiles): Promise<string | undefined> {
  const path = await ownPath(firstLine, name)
  // Without an append behind its first line, what was begun never came to be a note.
  if (path !== undefined) return size > headerBytes(path) ? path : undefined
  const lines = await files.read(name)
  const isNote = lines !== undefined && readContent(lines, '') !== undefined
  return isNote ? recoveredPath(name, firstLine) : undefined
}

/** The path in a first line that is whole; undefined when it is not that of this file. */
async function ownPath(firstLine: string, name: string | undefined): Promise<string | undefined> {
  const path = readHeader(firstLine)
  return path !== undefined && (await noteId(path)) === name ? path : undefined
}

function headerBytes(path: string): number {
  return new TextEncoder().encode(headerLine(path)).length
}
