import type { ImportReason, PathReason } from './note-error.ts'

/** What the sentence about a refused path is made of. */
export interface RefusedPath {
  /** The path, cut to 60 characters; what cannot be seen is shown as U+XXXX. */
  readonly path: string
  /** The character (as U+XXXX where it cannot be seen) or the name that is wrong in it; else empty. */
  readonly found: string
}

/** Where in a note a part of it stands: characters, counted from 0, `to` not included. */
export interface NotePart {
  readonly path: string
  readonly from: number
  readonly to: number
  readonly total: number
}

/** Every sentence of the notes: those of the tool's definition, of its answers, and one for each problem. */
export interface NotesTexts {
  readonly toolDescription: string
  readonly actionDescription: string
  readonly pathDescription: string
  readonly contentDescription: string
  readonly queryDescription: string
  readonly offsetDescription: string
  /** A read of a note that does not exist. */
  missing(path: string): string
  /** Above a part of a note. */
  part(part: NotePart): string
  /** Below a note of which the storage damaged some lines. */
  damaged(lines: number): string
  appended(path: string, chars: number): string
  /** `folder` is empty for all notes. */
  noNotes(folder: string): string
  listLine(path: string, bytes: number): string
  noHits(query: string): string
  hitLine(path: string, line: number, text: string): string
  /** Below a list that is cut. */
  more(shown: number, total: number): string
  /** Notes are only in memory. The code of the storage's refusal tells why. */
  memoryOnly(code: string): string
  pathLength(refused: RefusedPath): string
  pathForm(refused: RefusedPath): string
  pathCharacter(refused: RefusedPath): string
  pathName(refused: RefusedPath): string
  pathProtected(refused: RefusedPath): string
  readonly noContent: string
  longContent(chars: number, limit: number): string
  noQuery(limit: number): string
  full(path: string, limit: number): string
  exists(path: string): string
  readonly importZip: string
  readonly importSize: string
  readonly importType: string
  readonly importText: string
  /** The storage's own refusals. */
  readonly quota: string
  readonly locked: string
  readonly unavailable: string
}

/** The sentence of each reason. */
export const pathTexts: Readonly<Record<PathReason, keyof NotesTexts>> = {
  length: 'pathLength',
  form: 'pathForm',
  character: 'pathCharacter',
  name: 'pathName',
  protected: 'pathProtected',
}

/** The sentence of each reason. */
export const importTexts: Readonly<Record<ImportReason, keyof NotesTexts>> = {
  zip: 'importZip',
  size: 'importSize',
  type: 'importType',
  text: 'importText',
}

const memoryReasons: Readonly<Record<string, string>> = {
  'insecure-context': 'because this page is not served over https',
  refused: 'because the browser refuses storage here, as in a private window',
}

/** The notes' sentences in English. */
export const notesTextsEn: NotesTexts = {
  toolDescription:
    'Read and write the notes that are kept in this browser: Markdown texts with a path such as work/ideas.md. read: one note. append: add text at the end of a note, which is made if there is none; nothing can be changed or deleted. list: the paths of the notes. search: the lines that hold all the given words.',
  actionDescription: 'what to do',
  pathDescription:
    'read and append: the path of the note, relative, names separated by /, such as work/ideas.md; A.md and a.md are two notes. list and search: a folder such as work, or leave it out for all notes',
  contentDescription:
    'append: the text to add, Markdown, at most 50,000 characters; it gets a line of its own',
  queryDescription: 'search: one or more words; case and order do not matter, no wildcards',
  offsetDescription:
    'read: where to begin, in characters from 0; at most 8,000 characters are read at a time',
  missing: (path) => `There is no note at ${path}. Use list to see the notes, or append to begin one.`,
  part: ({ path, from, to, total }) =>
    `Characters ${from} to ${to} of the ${total} of ${path}${to < total ? `; read on with offset ${to}` : ''}:`,
  damaged: (lines) => `(${lines} damaged parts of this note could not be read and are left out.)`,
  appended: (path, chars) => `Added ${chars} characters to ${path}.`,
  noNotes: (folder) => (folder === '' ? 'There are no notes yet.' : `There are no notes in ${folder}.`),
  listLine: (path, bytes) => `${path} (${bytes} bytes)`,
  noHits: (query) => `No line of the notes holds all the words of "${query}". Try fewer or other words.`,
  hitLine: (path, line, text) => `${path}:${line}: ${text}`,
  more: (shown, total) =>
    `${shown} of ${total} are shown. Give a folder as path, or more words, to see fewer.`,
  memoryOnly: (code) =>
    `Notes are kept in memory only, ${memoryReasons[code] ?? 'because this browser has no file storage'}: they are lost when the page is closed, and other tabs do not see them.`,
  pathLength: ({ path, found }) =>
    found === ''
      ? `The path "${path}" is empty or too long. Give one of 1 to 200 characters, such as work/ideas.md.`
      : `The path "${path}" is refused: the name "${found}" in it is too long. Use shorter names.`,
  pathForm: ({ path }) =>
    `The path "${path}" is refused. Give a relative path with names separated by /, such as work/ideas.md, without a drive, an address, \\, ~, . or .. in it.`,
  pathCharacter: ({ path, found }) =>
    `The path "${path}" is refused: it has the character ${found}. Leave it out; < > : " | ? * and characters that cannot be seen are not allowed.`,
  pathName: ({ path, found }) =>
    `The path "${path}" is refused: the name "${found}" is not allowed on every system. Use a name that does not begin or end with a dot or a space and is no device name such as CON.`,
  pathProtected: ({ path }) => `The path "${path}" is protected by the app. Use another note.`,
  noContent: 'There is nothing to append. Give the text as content.',
  longContent: (chars, limit) =>
    `The content has ${chars} characters, and at most ${limit} can be appended at once. Append it in several parts.`,
  noQuery: (limit) => `There is nothing to search for. Give words as query, at most ${limit} characters.`,
  full: (path, limit) =>
    `The note ${path} is full: with this text it would be larger than ${limit} bytes. Go on in another note.`,
  exists: (path) => `There is a note at ${path} with another text; it was left as it is.`,
  importZip: 'Nothing was brought in: this is no zip, or it is broken. Give a zip of Markdown files.',
  importSize:
    'This is too large: a zip may hold 100,000,000 bytes, and a note 2,000,000. Split it into several.',
  importType: 'This is not brought in: notes are files whose names end in .md, .markdown or .txt.',
  importText: 'This is not brought in: it is empty, or not text in UTF-8.',
  quota:
    'There is no room left in the browser for this site; nothing was added and no note was changed. The person can delete notes or free space.',
  locked:
    'Another tab or worker is at work on this note and did not finish in time; nothing was changed. Try again in a moment.',
  unavailable:
    'This page can read notes but not write them: the browser writes files only in a worker. Run the tool in a worker.',
}
