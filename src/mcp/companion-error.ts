/** Why a companion could not be used, for programs. */
export type CompanionErrorCode =
  /** The text is no pairing link. */
  | 'bad-link'
  /** Nothing answers where the link leads. */
  | 'not-running'
  /** The companion was not told to serve pages of this origin. */
  | 'origin'
  | 'link-used'
  | 'link-expired'
  /** The link is of another companion, or of one that was started again since. */
  | 'link-unknown'
  | 'too-many-tries'
  /** The browser keeps the page from this machine until the person allows it. */
  | 'local-network'
  /** The page's own Content Security Policy forbids the address. */
  | 'csp'
  | 'failed'

/**
 * A companion that could not be used. The message is for the person: what is wrong, and what to do. Recognise it by
 * `name` and `code`.
 */
export class CompanionError extends Error {
  readonly code: CompanionErrorCode

  constructor(message: string, code: CompanionErrorCode, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'CompanionError'
    this.code = code
  }
}
