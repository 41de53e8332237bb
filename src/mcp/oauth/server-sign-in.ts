import { stopped, untilAborted } from '../../tool/abort.ts'
import { type Attempt, keepAttempt } from './attempt.ts'
import type { AuthorizationEvent, ServerAuthorization } from './authorization.ts'
import { authorizedFetch, type FetchParts } from './authorized-fetch.ts'
import { credentialsFor, type Saved } from './credentials.ts'
import { noDemands } from './demands.ts'
import type { OAuthSettings } from './oauth-options.ts'
import { type Returned, takeReturned } from './returned-attempt.ts'
import { sdkProvider } from './sdk-provider.ts'
import { givenUp, notLeft, preparingFailed, windowBlocked, windowClosed } from './sign-in-failure.ts'
import type { SignInPage, SignInWindow } from './sign-in-page.ts'
import { askForTokens, prepare, type SignInParts, takeAnswer } from './sign-in-steps.ts'
import { tokenRenewal } from './token-renewal.ts'
import { type WaitingAttempt, waitForAnswer, watchClosing } from './waiting-attempt.ts'

interface AuthorizeOptions {
  readonly signal?: AbortSignal | undefined
  readonly opened?: SignInWindow | undefined
}

/** The access to one server by OAuth, on a page. */
export class ServerSignIn implements ServerAuthorization {
  readonly provider: unknown
  readonly #settings: OAuthSettings
  readonly #page: SignInPage
  readonly #parts: SignInParts
  readonly #renew: FetchParts['renew']
  readonly #listeners = new Set<(event: AuthorizationEvent) => void>()
  readonly #waiting = new Set<WaitingAttempt>()
  #inner: typeof fetch = (input, init) => fetch(input, init)
  #needed = false
  /** Prepared, and not yet shown to the person. */
  #attempt: Attempt | undefined
  #shown: SignInWindow | undefined
  #running: Promise<void> | undefined
  #resuming: Promise<boolean> | undefined

  /** An attempt that left the page, and is back. See {@link takeReturned}. */
  static returned(page: SignInPage): Returned | undefined {
    return takeReturned(page)
  }

  constructor(server: URL, settings: OAuthSettings, page: SignInPage) {
    this.#settings = settings
    this.#page = page
    const shared = { server, credentials: credentialsFor(settings.storage, server), demands: noDemands() }
    const provider = sdkProvider({ ...shared, settings, begin: (attempt) => this.#begin(attempt) })
    this.provider = provider
    const isRegistered = settings.clientId !== undefined
    this.#parts = { ...shared, provider, isRegistered, fetch: () => this.fetch() }
    this.#renew = tokenRenewal({
      ...shared,
      // Registered by hand, or saved as it came.
      client: async () => (await provider.clientInformation()) as Saved | undefined,
      ask: (facts) => askForTokens(facts, this.#parts),
    })
  }

  get needed(): boolean {
    return this.#needed
  }

  fetch(inner?: typeof fetch): typeof fetch {
    if (inner !== undefined) this.#inner = inner
    const { server, demands } = this.#parts
    return authorizedFetch({ server, demands, inner: this.#inner, renew: this.#renew })
  }

  subscribe(listener: (event: AuthorizationEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @param options - `opened` is a window that a click has opened already. */
  async authorize(options: AuthorizeOptions = {}): Promise<void> {
    const { signal, opened } = options
    signal?.throwIfAborted()
    if (this.#settings.mode === 'redirect') return this.#leave(signal)
    if (this.#running !== undefined) {
      opened?.close()
      this.#shown?.focus()
      return this.#running
    }
    // Nothing may be waited for up to here: the click would not count any more.
    this.#running = this.#signIn(opened ?? this.#page.openWindow(), signal)
    try {
      await this.#running
    } finally {
      this.#running = undefined
    }
  }

  async resume(): Promise<boolean> {
    if (this.#resuming !== undefined) return this.#resuming
    if (this.#settings.mode !== 'redirect') return false
    const returned = takeReturned(this.#page, this.#parts.server)
    return returned === undefined ? false : this.take(returned)
  }

  /** Goes on with an attempt that left the page. */
  take({ attempt, query }: Returned): Promise<boolean> {
    this.#resuming = this.#take(attempt, query)
      .then(() => true)
      .finally(() => {
        this.#resuming = undefined
      })
    return this.#resuming
  }

  async forget(): Promise<void> {
    this.close()
    this.#attempt = undefined
    this.#needed = false
    Object.assign(this.#parts.demands, noDemands())
    await this.#parts.credentials.forget('all')
  }

  close(): void {
    for (const waiting of this.#waiting) waiting.stop(givenUp(this.#parts.server))
  }

  async #signIn(shown: SignInWindow | undefined, signal: AbortSignal | undefined): Promise<void> {
    if (shown === undefined) throw windowBlocked(this.#parts.server)
    this.#shown = shown
    try {
      const attempt = await orAbort(this.#prepared(), signal)
      const waiting = this.#waitFor(attempt)
      shown.go(attempt.address)
      await orAbort(this.#untilAnswered(waiting, shown), signal)
    } finally {
      this.#shown = undefined
      shown.close()
    }
  }

  async #leave(signal: AbortSignal | undefined): Promise<void> {
    const attempt = await orAbort(this.#prepared(), signal)
    keepAttempt(this.#page, attempt)
    this.#page.leave(attempt.address)
    // The page ends here; the person may also have stayed.
    const { timeoutMs } = this.#settings
    await orAbort(new Promise((resolve) => setTimeout(resolve, timeoutMs)), signal)
    throw notLeft(this.#parts.server, timeoutMs)
  }

  /** An attempt that nobody has seen. */
  async #prepared(): Promise<Attempt> {
    this.#needed = true
    if (this.#attempt === undefined) await prepare(this.#parts)
    const attempt = this.#attempt
    // A state is for one answer.
    this.#attempt = undefined
    if (attempt === undefined) throw preparingFailed(new Error('no sign-in was begun'), this.#parts.server)
    return attempt
  }

  #waitFor(attempt: Attempt): WaitingAttempt {
    const { timeoutMs } = this.#settings
    const waiting = waitForAnswer(this.#page, attempt, timeoutMs, (query) => this.#take(attempt, query))
    this.#waiting.add(waiting)
    const forget = (): unknown => this.#waiting.delete(waiting)
    waiting.done.then(forget, forget)
    return waiting
  }

  #untilAnswered(waiting: WaitingAttempt, shown: SignInWindow): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = watchClosing(this.#page, shown, () => {
        if (!waiting.answered) reject(windowClosed(this.#parts.server))
      })
      waiting.done.finally(stop).then(resolve, reject)
    })
  }

  async #take(attempt: Attempt, query: URLSearchParams): Promise<void> {
    // If it fails.
    this.#needed = true
    await takeAnswer(attempt, query, this.#parts)
    this.#granted()
  }

  #begin(attempt: Attempt): void {
    const known = this.#needed
    this.#attempt = attempt
    this.#needed = true
    if (!known) this.#tell('needed')
  }

  #granted(): void {
    const news = this.#needed
    this.#needed = false
    this.#attempt = undefined
    Object.assign(this.#parts.demands, {
      ...noDemands(),
      metadataAddress: this.#parts.demands.metadataAddress,
    })
    for (const waiting of this.#waiting) waiting.stop()
    if (news) this.#tell('authorized')
  }

  #tell(event: AuthorizationEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}

async function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise
  const result = await untilAborted(promise, signal)
  if (result === stopped) throw signal.reason
  return result
}
