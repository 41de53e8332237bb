import { latePart } from '../../tool/late-part.ts'
import type { AuthorizationEvent, ServerAuthorization } from './authorization.ts'
import type { OAuthSettings } from './oauth-options.ts'
import type { Returned } from './returned-attempt.ts'
import type { ServerSignIn } from './server-sign-in.ts'
import type { SignInPage } from './sign-in-page.ts'

/** All that works: it is fetched when access to a server is first wanted. */
export const lateSignIns: () =>
  | { readonly ServerSignIn: typeof ServerSignIn }
  | Promise<{ readonly ServerSignIn: typeof ServerSignIn }> = latePart(async () => {
  const { ServerSignIn } = await import('./server-sign-in.ts')
  return { ServerSignIn }
})

/** The access to one server, before and after what works is there. */
export class LateSignIn implements ServerAuthorization {
  readonly #make: () => Promise<ServerSignIn>
  readonly #settings: OAuthSettings
  readonly #page: SignInPage
  readonly #listeners = new Set<(event: AuthorizationEvent) => void>()
  #signIn: ServerSignIn | undefined
  #making: Promise<ServerSignIn> | undefined
  #beginning: Promise<void> | undefined

  constructor(server: URL, settings: OAuthSettings, page: SignInPage) {
    this.#settings = settings
    this.#page = page
    this.#make = async () => {
      const { ServerSignIn } = await lateSignIns()
      const signIn = new ServerSignIn(server, settings, page)
      signIn.subscribe((event) => this.#tell(event))
      this.#signIn = signIn
      return signIn
    }
  }

  get provider(): unknown {
    if (this.#signIn === undefined) throw new Error('Wait for resume() before a connection is made.')
    return this.#signIn.provider
  }

  get needed(): boolean {
    return this.#signIn?.needed ?? false
  }

  fetch(inner?: typeof fetch): typeof fetch {
    if (this.#signIn !== undefined) return this.#signIn.fetch(inner)
    return async (input, init) => (await this.#late()).fetch(inner)(input, init)
  }

  subscribe(listener: (event: AuthorizationEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async authorize(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    options.signal?.throwIfAborted()
    if (this.#signIn !== undefined) return this.#signIn.authorize(options)
    this.#beginning ??= this.#begin(options)
    try {
      await this.#beginning
    } finally {
      this.#beginning = undefined
    }
  }

  async resume(): Promise<boolean> {
    return (await this.#late()).resume()
  }

  /** Goes on with an attempt that left the page. */
  async take(returned: Returned): Promise<boolean> {
    return (await this.#late()).take(returned)
  }

  async forget(): Promise<void> {
    await (await this.#late()).forget()
  }

  close(): void {
    this.#signIn?.close()
  }

  async #begin(options: { readonly signal?: AbortSignal | undefined }): Promise<void> {
    // The click counts only now.
    const opened = this.#settings.mode === 'popup' ? this.#page.openWindow() : undefined
    try {
      await (await this.#late()).authorize({ ...options, opened })
    } finally {
      opened?.close()
    }
  }

  #late(): Promise<ServerSignIn> {
    this.#making ??= this.#make().catch((error) => {
      this.#making = undefined
      throw error
    })
    return this.#making
  }

  #tell(event: AuthorizationEvent): void {
    for (const listener of [...this.#listeners]) listener(event)
  }
}
