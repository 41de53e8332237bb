/** Why storage cannot be had, or not now. */
export type StorageErrorCode =
  /** The page is not a secure context. */
  | 'insecure-context'
  /** The browser refuses it here: a private window, or site data are blocked. */
  | 'refused'
  /** The browser does not have it, or there is no browser (a server). */
  | 'unsupported'
  /** There is no room left for this site. What was stored before is still there. */
  | 'quota'
  /** Another tab or worker has it and did not let go of it in time. */
  | 'locked'

/** Storage cannot be had here. The message says why and what to do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode

  constructor(message: string, code: StorageErrorCode, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
    this.code = code
  }
}
