import type { ServerResponse } from 'node:http'
import { DemoInMemoryAuthProvider } from '@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js'
import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'

type Client = Parameters<DemoInMemoryAuthProvider['authorize']>[0]
type Grant = Parameters<DemoInMemoryAuthProvider['authorize']>[1]
type Tokens = Awaited<ReturnType<DemoInMemoryAuthProvider['exchangeAuthorizationCode']>>

/** What the authorization server does with the next person. */
export type Verdict =
  | 'approve'
  | 'deny'
  /** Leads back without a code. */
  | 'no-code'
  /** Leads back with a state of its own. */
  | 'wrong-state'
  /** Claims to be another server (RFC 9207). */
  | 'wrong-issuer'
  /** Shows a page with a link that approves. */
  | 'ask'

/** The SDK's demo, with refresh tokens (each good for once), errors by the book, and a person of many minds. */
export class AskingProvider extends DemoInMemoryAuthProvider {
  readonly secrets = new Set<string>()
  readonly refreshable = new Map<string, { client: Client; scopes: string[]; resource: URL | undefined }>()
  readonly #codes = new Map<string, Grant>()
  readonly #control: { readonly verdict: Verdict }

  constructor(control: { readonly verdict: Verdict }) {
    super()
    this.#control = control
  }

  override async authorize(client: Client, grant: Grant, response: ServerResponse): Promise<void> {
    const { verdict } = this.#control
    if (verdict === 'ask') return showConsent(response, await this.#answer(client, grant, 'approve'))
    response.writeHead(302, { location: await this.#answer(client, grant, verdict) }).end()
  }

  override async challengeForAuthorizationCode(_client: Client, code: string): Promise<string> {
    const grant = this.#codes.get(code)
    if (grant === undefined) throw new InvalidGrantError('The code was used before, or never given.')
    return grant.codeChallenge
  }

  override async exchangeAuthorizationCode(client: Client, code: string): Promise<Tokens> {
    const grant = this.#codes.get(code)
    if (grant === undefined) throw new InvalidGrantError('The code was used before, or never given.')
    this.#codes.delete(code)
    return this.#issue(client, grant.scopes ?? [], grant.resource)
  }

  override async exchangeRefreshToken(client: Client, token: string, scopes?: string[]): Promise<Tokens> {
    const known = this.refreshable.get(token)
    if (known === undefined) {
      // A refresh token that comes twice was stolen (RFC 9700 §4.14.2).
      this.refreshable.clear()
      throw new InvalidGrantError('The refresh token was used before, or revoked.')
    }
    this.refreshable.delete(token)
    return this.#issue(client, scopes ?? known.scopes, known.resource)
  }

  override async verifyAccessToken(token: string): ReturnType<DemoInMemoryAuthProvider['verifyAccessToken']> {
    try {
      return await super.verifyAccessToken(token)
    } catch {
      throw new InvalidTokenError('The token is unknown or has expired.')
    }
  }

  /** The demo keeps its tokens to itself in the types only. */
  get access(): Map<string, unknown> {
    return (this as unknown as { tokens: Map<string, unknown> }).tokens
  }

  async #answer(client: Client, grant: Grant, verdict: Verdict): Promise<string> {
    const back = new URL(grant.redirectUri)
    const state = verdict === 'wrong-state' ? 'offstage.forged' : grant.state
    if (state !== undefined) back.searchParams.set('state', state)
    if (verdict === 'wrong-issuer') back.searchParams.set('iss', 'https://other.example')
    if (verdict === 'deny') back.searchParams.set('error', 'access_denied')
    else if (verdict !== 'no-code') back.searchParams.set('code', this.#code(client, grant))
    return back.href
  }

  #code(_client: Client, grant: Grant): string {
    const code = crypto.randomUUID()
    this.secrets.add(code)
    this.#codes.set(code, grant)
    return code
  }

  #issue(client: Client, scopes: string[], resource: URL | undefined): Tokens {
    const [access, refresh] = [crypto.randomUUID(), crypto.randomUUID()]
    this.secrets.add(access).add(refresh)
    const expiresAt = Date.now() + 3_600_000
    this.access.set(access, { token: access, clientId: client.client_id, scopes, expiresAt, resource })
    this.refreshable.set(refresh, { client, scopes, resource })
    return {
      ...{ access_token: access, refresh_token: refresh, token_type: 'bearer', expires_in: 3600 },
      scope: scopes.join(' '),
    }
  }
}

function showConsent(response: ServerResponse, approved: string): void {
  const link = `<a id="approve" href="${approved.replaceAll('&', '&amp;')}">Approve</a>`
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Consent</title>${link}`)
}
