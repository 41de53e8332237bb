/** Why a path is refused. */
export type PathReason =
  /** Empty, or longer than 200 characters, or with a name longer than 240 bytes. */
  | 'length'
  /** Not relative, with `.`, `..` or an empty name in it, or from a home folder. */
  | 'form'
  /** A character that no file of every system may have, or that cannot be seen. */
  | 'character'
  /** A name that some system does not allow or hides. */
  | 'name'
  /** The app protects it from the tool. */
  | 'protected'

/** Why a zip, or a file in it, is not brought in. */
export type ImportReason =
  /** It is no zip, or a broken one. */
  | 'zip'
  /** More than 100,000,000 bytes, or a file of more than 2,000,000. */
  | 'size'
  /** Its name does not end in `.md`, `.markdown` or `.txt`. */
  | 'type'
  /** It is not text in UTF-8, or empty. */
  | 'text'

/** What a request for a note does wrong. */
export type NoteProblem =
  | { readonly code: 'note-path'; readonly path: string; readonly reason: PathReason; readonly found: string }
  | { readonly code: 'note-content'; readonly length: number; readonly limit: number }
  | { readonly code: 'note-query'; readonly limit: number }
  | { readonly code: 'note-full'; readonly path: string; readonly limit: number }
  | { readonly code: 'note-exists'; readonly path: string }
  | { readonly code: 'note-import'; readonly reason: ImportReason }

/** The kinds of problems, one each: all refused paths have the same. */
export type NoteErrorCode = NoteProblem['code']

/**
 * A note cannot be had, kept or brought in as asked. `code` says which kind of problem it is: `note-path` for every
 * path that is refused, `note-content` for an append of nothing or of too much, `note-query` for a search for
 * nothing, `note-full` when a note would pass its limit, `note-exists` and `note-import` from an import.
 */
export class NoteError extends Error {
  readonly code: NoteErrorCode
  /** What the message is made of. */
  readonly problem: NoteProblem

  constructor(message: string, problem: NoteProblem, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'NoteError'
    this.code = problem.code
    this.problem = problem
  }
}
