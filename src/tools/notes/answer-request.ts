import { ToolResponse, type ToolResponseExtras } from '../../tool/tool-response.ts'
import { isProtected } from './damaged-note.ts'
import { maxReadChars } from './note-limits.ts'
import type { Note, NoteStore } from './note-store.ts'
import type { NotesRequest } from './notes-request.ts'
import type { NotesTexts } from './notes-texts.ts'

const maxListed = 200
const maxHits = 40

/** What answers a request. */
export interface NotesDesk {
  readonly store: NoteStore
  readonly texts: NotesTexts
  readonly protectedPaths: readonly string[]
  readonly signal: AbortSignal
}

interface Answer extends Pick<ToolResponseExtras, 'data'> {
  readonly text: string
  readonly partial?: boolean
}

/** Does what a model asks, and says so: in each answer also when the notes do not last. */
export async function answerRequest(request: NotesRequest, desk: NotesDesk): Promise<ToolResponse> {
  const { text, partial = false, data } = await answer(request, desk)
  // Afterwards: only then is it known how the notes are written here.
  const { tier, warning } = await desk.store.storage()
  const whole = warning === undefined ? text : `${text}\n\n${warning}`
  const extras = { data, metadata: { storage: tier } }
  return partial ? ToolResponse.partial(whole, extras) : ToolResponse.ok(whole, extras)
}

function answer(request: NotesRequest, desk: NotesDesk): Promise<Answer> {
  switch (request.action) {
    case 'read':
      return read(request, desk)
    case 'append':
      return append(request, desk)
    case 'list':
      return list(request, desk)
    case 'search':
      return search(request, desk)
  }
}

type Asked<Action> = Extract<NotesRequest, { readonly action: Action }>

async function read({ path, offset }: Asked<'read'>, { store, texts }: NotesDesk): Promise<Answer> {
  const note = await store.read(path)
  if (note === undefined) return { text: texts.missing(path), data: { path, exists: false } }
  const total = note.text.length
  const from = Math.min(offset, total)
  const to = endOfPart(note, from)
  const part = note.text.slice(from, to)
  const isWhole = from === 0 && to === total
  const lines = [
    isWhole ? part : `${texts.part({ path, from, to, total })}\n${part}`,
    ...(note.damagedLines > 0 ? [texts.damaged(note.damagedLines)] : []),
  ]
  return { text: lines.join('\n'), partial: to < total, data: { path, exists: true, from, to, total } }
}

function endOfPart({ text }: Note, from: number): number {
  const to = Math.min(from + maxReadChars, text.length)
  // Not in the middle of a character.
  return to < text.length && /[\uD800-\uDBFF]/.test(text.charAt(to - 1)) ? to - 1 : to
}

async function append(request: Asked<'append'>, { store, texts, signal }: NotesDesk): Promise<Answer> {
  const { path, content } = request
  await store.append(path, content, { signal })
  return { text: texts.appended(path, content.length), data: { path } }
}

async function list({ folder }: Asked<'list'>, desk: NotesDesk): Promise<Answer> {
  const { store, texts } = desk
  const found = (await store.list()).filter(({ path }) => isOffered(path, folder, desk))
  if (found.length === 0) return { text: texts.noNotes(folder), data: { notes: [] } }
  const lines = found.map(({ path, size }) => texts.listLine(path, size))
  return { ...capped(lines, maxListed, texts), data: { notes: found } }
}

async function search({ folder, query }: Asked<'search'>, desk: NotesDesk): Promise<Answer> {
  const { store, texts, signal } = desk
  const accept = (path: string) => isOffered(path, folder, desk)
  const hits = await store.search(query, { accept, signal })
  if (hits.length === 0) return { text: texts.noHits(query), data: { hits: [] } }
  const lines = hits.map(({ path, line, text }) => texts.hitLine(path, line, text))
  return { ...capped(lines, maxHits, texts), data: { hits: hits.slice(0, maxHits), total: hits.length } }
}

function isOffered(path: string, folder: string, { protectedPaths }: NotesDesk): boolean {
  return (folder === '' || path.startsWith(`${folder}/`)) && !isProtected(path, protectedPaths)
}

function capped(lines: readonly string[], most: number, texts: NotesTexts): Answer {
  if (lines.length <= most) return { text: lines.join('\n') }
  const shown = [...lines.slice(0, most), texts.more(most, lines.length)]
  return { text: shown.join('\n'), partial: true }
}
