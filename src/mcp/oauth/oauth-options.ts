import type { TokenStore } from './token-store.ts'

/** How an app signs people in to servers. */
export interface OAuthOptions {
  /**
   * The page that the authorization server leads back to, absolute or relative to this page, on its origin. In mode
   * `popup` a page that calls `finishAuthorization()`; in mode `redirect` one that connects again.
   */
  readonly redirectUrl: string | URL
  /**
   * Where the person signs in: in a window of its own, or in place of this page.
   * @default 'popup'
   */
  readonly mode?: 'popup' | 'redirect'
  /**
   * As whom the app is registered at the authorization server. Absent: by `clientMetadataUrl`, or by dynamic
   * registration (RFC 7591).
   */
  readonly clientId?: string
  /** Of a registered app, for servers that insist on one. What a page holds is no secret: prefer a public client. */
  readonly clientSecret?: string
  /** The authorization server that `clientId` is registered at; it is then given to no other. */
  readonly issuer?: string
  /** An https address of the app's client metadata document, used as its id by servers that read such documents. */
  readonly clientMetadataUrl?: string
  /**
   * What the authorization server calls the app when it asks the person.
   * @default the host of the page
   */
  readonly clientName?: string
  /**
   * What to ask for, beside what a server demands.
   * @default what the server offers
   */
  readonly scopes?: readonly string[]
  /**
   * Where tokens and registrations are kept.
   * @default memoryTokenStore()
   */
  readonly storage?: TokenStore
  /**
   * How long an answer is waited for, in milliseconds.
   * @default 300_000
   */
  readonly timeoutMs?: number
}

/** The options with their defaults, on a page. */
export interface OAuthSettings extends Omit<OAuthOptions, 'redirectUrl'> {
  readonly redirectUrl: URL
  readonly mode: 'popup' | 'redirect'
  readonly clientName: string
  readonly storage: TokenStore
  readonly timeoutMs: number
}
