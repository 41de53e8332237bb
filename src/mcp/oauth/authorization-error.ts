/** Why access to a server could not be had, for programs. */
export type AuthorizationErrorCode =
  /** There is no window here: a worker, or a server. */
  | 'not-a-page'
  /** The browser did not open the window for signing in. */
  | 'popup-blocked'
  /** The window was closed before there was an answer, or the attempt was given up. */
  | 'cancelled'
  | 'timeout'
  /** The person, or the authorization server, said no. */
  | 'denied'
  /** An answer that belongs to no attempt of this page: an old one, one of another tab, or a forged one. */
  | 'state-mismatch'
  /** An answer without a code, or from another authorization server than the one that was asked. */
  | 'bad-answer'
  /** The authorization server did not take the code. */
  | 'exchange-failed'
  /** The server, or its authorization server, does not say how to sign in, or cannot be reached. */
  | 'discovery-failed'
  /** An address that must not be opened, or must not be given secrets. */
  | 'unsafe-address'

/**
 * Access that was not given: the message says why and what to do next. No token, code or verifier is in it. Recognise
 * it by `name` and `code`.
 */
export class AuthorizationError extends Error {
  readonly code: AuthorizationErrorCode

  constructor(code: AuthorizationErrorCode, message: string) {
    super(message)
    this.name = 'AuthorizationError'
    this.code = code
  }
}
