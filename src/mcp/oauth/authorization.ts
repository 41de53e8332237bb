/** What `auth` of an `MCPClient` takes: makes the access to one server. `oauth()` gives one. */
export interface MCPAuth {
  /** The access to a server; the same object for the same address. For the client, when it connects. */
  forServer(url: URL): ServerAuthorization
  /**
   * Ends a sign-in that left the page (mode `redirect`), when this page is where it came back to: trades the code of
   * the page's address for tokens, and takes it out of the address. A client does so by itself when it connects.
   *
   * @returns Whether there was one.
   * @throws AuthorizationError when it came back with a refusal, or with an answer nobody waits for.
   */
  resumeAuthorization(): Promise<boolean>
}

/** What happened with the access to a server. */
export type AuthorizationEvent =
  /** A person has to sign in: nothing was opened, `authorize()` waits for their click. */
  | 'needed'
  /** There are tokens: a new connection can be made. */
  | 'authorized'

/** The access to one server: what a connection presents to it, and what a person has to do for that. */
export interface ServerAuthorization {
  /** For `McpConnectionOptions.authProvider`; there when `resume()` has settled. */
  readonly provider: unknown
  /** Whether a person has to sign in before a connection can be made. */
  readonly needed: boolean
  /** For `McpConnectionOptions.fetch`: also reads what the server demands, and renews a token once for all requests. */
  fetch(inner?: typeof fetch): typeof fetch
  /** Calls the listener with each event; returns the way to stop that. */
  subscribe(listener: (event: AuthorizationEvent) => void): () => void
  /**
   * Lets the person sign in. Call it from a click, before anything else is waited for: browsers open no window
   * otherwise. Resolves when there are tokens; make a new connection then. In mode `redirect` the page is left, and
   * `resume()` goes on when it is back. May be called again after any failure.
   *
   * @throws AuthorizationError, from the promise, that says what to do next. After `cancelled` a late answer still
   * counts: it comes as an `authorized` event.
   */
  authorize(options?: { readonly signal?: AbortSignal | undefined }): Promise<void>
  /** See {@link MCPAuth.resumeAuthorization}; of this server only. Call it before the first connection. */
  resume(): Promise<boolean>
  /** Forgets the tokens, the registration and what was found out about the server. */
  forget(): Promise<void>
  /** Waits for no answer any more. What is stored stays. */
  close(): void
}
