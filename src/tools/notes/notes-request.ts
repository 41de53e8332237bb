import { isProtected } from './damaged-note.ts'
import type { NoteProblem } from './note-error.ts'
import { maxAppendChars, maxQueryLength } from './note-limits.ts'
import { readNotePath } from './note-path.ts'
import { searchWords } from './search-text.ts'

/** What a model asks of the notes. */
export interface NotesInput {
  readonly action: 'read' | 'append' | 'list' | 'search'
  readonly path?: string | undefined
  readonly content?: string | undefined
  readonly query?: string | undefined
  readonly offset?: number | undefined
}

/** The same, checked. A folder is empty for all notes; its path has no `/` at the end. */
export type NotesRequest =
  | { readonly action: 'read'; readonly path: string; readonly offset: number }
  | { readonly action: 'append'; readonly path: string; readonly content: string }
  | { readonly action: 'list'; readonly folder: string }
  | { readonly action: 'search'; readonly folder: string; readonly query: string }

/** Checks what a model asks: fields that the action does not use are not looked at. */
export function readRequest(
  { action, path = '', content = '', query = '', offset = 0 }: NotesInput,
  protectedPaths: readonly string[],
): NotesRequest | { readonly problem: NoteProblem } {
  switch (action) {
    case 'read': {
      const read = readPath(path, protectedPaths)
      return 'problem' in read ? read : { action, path: read.path, offset }
    }
    case 'append': {
      const read = readPath(path, protectedPaths)
      if ('problem' in read) return read
      const { length } = content
      const fits = length > 0 && length <= maxAppendChars
      return fits
        ? { action, path: read.path, content }
        : { problem: { code: 'note-content', length, limit: maxAppendChars } }
    }
    case 'list': {
      const read = readFolder(path, protectedPaths)
      return 'problem' in read ? read : { action, folder: read.path }
    }
    case 'search': {
      const read = readFolder(path, protectedPaths)
      if ('problem' in read) return read
      const isSearch = query.length <= maxQueryLength && searchWords(query).length > 0
      return isSearch
        ? { action, folder: read.path, query }
        : { problem: { code: 'note-query', limit: maxQueryLength } }
    }
  }
}

type ReadPath = ReturnType<typeof readNotePath>

function readPath(given: string, protectedPaths: readonly string[]): ReadPath {
  const read = readNotePath(given)
  if ('problem' in read || !isProtected(read.path, protectedPaths)) return read
  return { problem: { code: 'note-path', path: read.path, reason: 'protected', found: '' } }
}

function readFolder(given: string, protectedPaths: readonly string[]): ReadPath {
  // Models fill in what they leave out: an empty text, or the root in words of a file system.
  return ['', '.', '/', './'].includes(given)
    ? { path: '' }
    : readPath(given.replace(/\/$/, ''), protectedPaths)
}
