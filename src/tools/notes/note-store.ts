import { type ChangeSignal, changeSignal } from '../../storage/change-signal.ts'
import { type FileOptions, type FileTier, type LineFiles, openLineFiles } from '../../storage/line-files.ts'
import { checkMilliseconds, checkOptions } from '../../tool/check-options.ts'
import { defined } from '../../tool/defined.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import { latePart } from '../../tool/late-part.ts'
import { fileOf, listNotes, type NoteEntry } from './list-notes.ts'
import { NoteError, type NoteProblem } from './note-error.ts'
import { entryLine, headerLine, type NoteContent, readContent } from './note-format.ts'
import { maxAppendChars, maxNoteBytes, maxQueryLength } from './note-limits.ts'
import { readNotePath } from './note-path.ts'
import type { NoteExport, NoteImport } from './note-zip.ts'
import { type NotesTexts, notesTextsEn } from './notes-texts.ts'
import { problemText } from './problem-text.ts'
import { type NoteHit, searchText, searchWords } from './search-text.ts'

/** What {@link NoteStore} takes. */
export interface NoteStoreOptions {
  /** The folder of the notes in the origin's private file system; `/` between names. @default 'agent-notes' */
  readonly root?: string
  /** How long an operation waits for another tab or worker that has the same note, in milliseconds. @default 5000 */
  readonly lockTimeoutMs?: number
  /** Sentences that replace the English ones: those of warnings and errors. */
  readonly texts?: Partial<NotesTexts>
}

/** A note: its path, its text, and how many of its lines the storage has damaged. */
export type Note = NoteContent

/** Where notes are kept. */
export interface NoteStorage {
  /**
   * How they are written: `sync-access` (in a worker), `writable` (by a stream), `read-only` (this place cannot write;
   * a worker can), or `memory`.
   */
  readonly tier: FileTier
  /** To be shown to the person: that and why notes are in memory only, and so lost with the page, or are read-only. */
  readonly warning?: string
}

/** What narrows a search, and ends it early. */
export interface NoteSearchOptions extends FileOptions {
  /** Which notes are searched, by their paths. @default all */
  accept?(path: string): boolean
}

const zip = latePart(async () => {
  const { exportNotes, importNotes } = await import('./note-zip.ts')
  return { exportNotes, importNotes }
})

/**
 * Notes of the origin: text by path, which grows by appends. For the app's own pages; {@link NotesTool} offers it to a
 * model. Two stores with one `root` have the same notes, in all tabs and workers. Nothing is opened before it is first
 * used.
 *
 * Notes are in the origin private file system; where the browser refuses that, in memory, and `storage()` has a
 * warning to show. An append that has resolved is there, whatever happens to its tab or worker then; of one that has
 * not, either all is there or nothing.
 *
 * A path is relative, with `/` between names, such as `work/ideas.md`. Nothing in it is decoded or resolved. Case counts:
 * `A.md` and `a.md` are two notes. Whether the letters of `é` are composed or not does not: a path is brought into
 * Unicode's form NFC. Refused are absolute paths, drives, UNC paths and addresses, backslashes, a `~` at the start, `.`,
 * `..` and empty names, names that begin or end with a dot or a space, device names of Windows (`CON`), the characters
 * `< > : " | ? *`, what cannot be seen, more than 200 characters, and names of more than 240 bytes.
 *
 * Methods reject with a `NoteError` for what is asked wrongly (code `note-path` for any path that is refused), and with
 * a `StorageError`: `quota` when there is no room, `locked` when another tab does not let go of a note, `unsupported`
 * when this page cannot write files. Nothing is lost then.
 */
export class NoteStore {
  readonly #root: string
  readonly #lockTimeoutMs: number
  readonly #texts: NotesTexts
  readonly #changes: ChangeSignal
  #files: Promise<LineFiles> | undefined

  /** @throws `ToolRegistrationError` for an unknown option or a root that is no relative path. */
  constructor(options: NoteStoreOptions = {}) {
    const where = 'new NoteStore()'
    checkOptions(options, ['root', 'lockTimeoutMs', 'texts'], where)
    const { root = 'agent-notes', lockTimeoutMs = 5_000 } = options
    checkMilliseconds(lockTimeoutMs, 'lockTimeoutMs', where)
    if (typeof root !== 'string' || 'problem' in readNotePath(root)) {
      throw new ToolRegistrationError(
        `${where}: root is ${JSON.stringify(root)}; give a relative path such as 'agent-notes' or 'my-app/notes'.`,
      )
    }
    this.#root = root
    this.#lockTimeoutMs = lockTimeoutMs
    this.#texts = { ...notesTextsEn, ...options.texts }
    this.#changes = changeSignal(`notes:${root}`)
  }

  /** Where the notes are kept, and a warning when that does not last. */
  async storage(): Promise<NoteStorage> {
    const { tier, refusal } = await this.#open()
    const { memoryOnly, unavailable } = this.#texts
    const readOnly = tier === 'read-only' ? unavailable : undefined
    return defined({ tier, warning: refusal ? memoryOnly(refusal.code) : readOnly })
  }

  /** All notes, in the order of their paths (by UTF-16 unit). */
  async list(): Promise<readonly NoteEntry[]> {
    return listNotes(await this.#open())
  }

  /** Reads a note; undefined when there is none. */
  async read(path: string): Promise<Note | undefined> {
    return this.#content(this.#checkPath(path))
  }

  /** Adds text at the end of a note, on a line of its own; makes the note if there is none. */
  async append(path: string, content: string, options: FileOptions = {}): Promise<void> {
    const checked = this.#checkPath(path)
    const { length } = content
    if (length === 0 || length > maxAppendChars) {
      throw this.#problem({ code: 'note-content', length, limit: maxAppendChars })
    }
    await this.#write(checked, content, options, () => {})
  }

  /** The lines that hold all words of `query`, whatever their case and order; plain text, at most 200 characters. */
  async search(query: string, options: NoteSearchOptions = {}): Promise<readonly NoteHit[]> {
    const words = searchWords(query)
    if (words.length === 0 || query.length > maxQueryLength) {
      throw this.#problem({ code: 'note-query', limit: maxQueryLength })
    }
    const { accept = () => true, signal } = options
    const hits: (readonly NoteHit[])[] = []
    for (const { path } of await this.list()) {
      signal?.throwIfAborted()
      const note = accept(path) ? await this.#content(path) : undefined
      if (note !== undefined) hits.push(searchText(path, note.text, words))
    }
    return hits.flat()
  }

  /** Deletes a note. One that is not there is no error. */
  async delete(path: string, options: FileOptions = {}): Promise<void> {
    const checked = this.#checkPath(path)
    const files = await this.#open()
    await files.delete(await fileOf(checked, files), options)
    this.#changes.tell()
  }

  /** All notes as one zip of Markdown files, and what had to be renamed in it. */
  async export(): Promise<NoteExport> {
    const paths = (await this.list()).map(({ path }) => path)
    return (await zip()).exportNotes(paths, async (path) => (await this.#content(path))?.text)
  }

  /**
   * Brings in the Markdown and text files of a zip, such as {@link NoteStore.export} makes. A note that exists is never
   * changed: one with another text is in the result's `refused`.
   */
  async import(archive: Blob | Uint8Array<ArrayBuffer>): Promise<NoteImport> {
    return (await zip()).importNotes(new Blob([archive]), {
      checkPath: (path) => this.#checkPath(path),
      read: async (path) => (await this.#content(path))?.text,
      add: (path, text) =>
        this.#write(path, text, {}, (size) => {
          if (size > 0) throw this.#problem({ code: 'note-exists', path })
        }),
      problem: (reason) => this.#problem({ code: 'note-import', reason }),
    })
  }

  /** Calls the listener after each change of a note, in any tab or worker. Returns the way to stop that. */
  subscribe(listener: () => void): () => void {
    return this.#changes.subscribe(listener)
  }

  /** Hears no more of other tabs, until the next use. */
  close(): void {
    this.#changes.close()
  }

  #open(): Promise<LineFiles> {
    if (this.#files === undefined) {
      const opening = openLineFiles(this.#root, this.#lockTimeoutMs)
      this.#files = opening
      // The next use tries anew.
      opening.catch(() => {
        this.#files = undefined
      })
    }
    return this.#files
  }

  async #content(path: string): Promise<Note | undefined> {
    const files = await this.#open()
    const lines = await files.read(await fileOf(path, files))
    return lines === undefined ? undefined : readContent(lines, path)
  }

  async #write(
    path: string,
    text: string,
    options: FileOptions,
    check: (size: number) => void,
  ): Promise<void> {
    const files = await this.#open()
    const lines = (size: number) => {
      check(size)
      const added = (size === 0 ? headerLine(path) : '') + entryLine(text)
      if (size + new TextEncoder().encode(added).length > maxNoteBytes) {
        throw this.#problem({ code: 'note-full', path, limit: maxNoteBytes })
      }
      return added
    }
    await files.append(await fileOf(path, files), lines, options)
    this.#changes.tell()
  }

  #checkPath(given: string): string {
    const read = readNotePath(given)
    if ('problem' in read) throw this.#problem(read.problem)
    return read.path
  }

  #problem(found: NoteProblem): NoteError {
    return new NoteError(problemText(found, this.#texts), found)
  }
}
