/** Why there is no storage. */
export type StorageErrorCode =
  /** The page is not a secure context. */
  | 'insecure-context'
  /** The browser refuses it here: a private window, or site data are blocked. */
  | 'refused'
  /** The browser does not have it, or there is no browser (a server). */
  | 'unsupported'
  /** There is no room left for this site. What was stored before is still there. */
  | 'quota'

/** Storage cannot be had here. The message says why and what to do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(message: string, code: StorageErrorCode, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
    this.code = code
  }
}
