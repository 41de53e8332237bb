import type { ServerResponse } from 'node:http'
import { type LabRequest, type LabServer, startLabServer } from '../support/mcp/lab-server.ts'
import { textTool } from '../support/mcp/lab-tools.ts'

/** Where a server and its authorization server put things, and what they ask for. */
export interface GuardOptions {
  /** Path of the metadata of the server. @default '/.well-known/oauth-protected-resource/mcp' */
  readonly resourcePath?: string
  /** Whether a refusal says where that is. @default true */
  readonly pointsThere?: boolean
  /** Path of the authorization server's metadata. @default '/.well-known/oauth-authorization-server' */
  readonly metadataPath?: string
  /** Path of the authorization server itself. @default '' */
  readonly issuerPath?: string
  /** What its metadata say beside. */
  readonly metadata?: object
  /** How a client must show that it is who it says. @default 'none' */
  readonly tokenAuth?: 'none' | 'client_secret_basic' | 'client_secret_post'
  /** What the server's metadata offer. */
  readonly scopesSupported?: readonly string[]
  /** The scope that a JSON-RPC method needs. */
  scopeOf?(method: string): string | undefined
  /** Whether no token has a scope, whatever was agreed to. */
  readonly givesNothing?: boolean
}

/** A server that wants tokens, and what came to the server that gives them. */
export interface GuardedServer {
  readonly url: string
  readonly issuer: string
  /** Each time that a person was led there: the query. */
  readonly authorizations: readonly Readonly<Record<string, string>>[]
  readonly registrations: readonly LabRequest[]
  /** Requests for tokens that were granted: the form, with whom the header names. */
  readonly grants: readonly Readonly<Record<string, string>>[]
  /** Paths that were asked for at either server, without those of MCP. */
  readonly paths: () => readonly string[]
  close(): Promise<void>
}

/** Starts both servers on loopback. The person agrees at once. */
export async function startGuardedServer(options: GuardOptions = {}): Promise<GuardedServer> {
  const tokens = new Map<string, readonly string[]>()
  const giver = new TokenGiver(options, tokens)
  const authorization = await startLabServer({ handle: (request, response) => giver.take(request, response) })
  const issuer = `${authorization.origin}${options.issuerPath ?? ''}`
  giver.issuer = issuer
  const { resourcePath = '/.well-known/oauth-protected-resource/mcp', scopesSupported } = options
  const server: LabServer = await startLabServer({
    answers: 'json',
    getStatus: 405,
    tools: [textTool('test-tool')],
    handle: ({ url, headers, message }, response) => {
      if (url === resourcePath) {
        const metadata = { resource: server.url, authorization_servers: [issuer] }
        return json(response, 200, { ...metadata, scopes_supported: scopesSupported })
      }
      if (message?.method === undefined) return false
      const granted = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '')
      const scope = options.scopeOf?.(message.method)
      if (granted !== undefined && (scope === undefined || granted.includes(scope))) return false
      const where = options.pointsThere === false ? undefined : `${server.origin}${resourcePath}`
      const error = granted === undefined ? undefined : 'insufficient_scope'
      response.setHeader('www-authenticate', challenge({ error, scope, resource_metadata: where }))
      return json(response, granted === undefined ? 401 : 403, {})
    },
  })
  return Object.assign(giver.seen, {
    url: server.url,
    issuer,
    paths: () =>
      [...server.requests, ...authorization.requests].map(pathOf).filter((path) => path !== '/mcp'),
    close: async () => {
      await Promise.all([server.close(), authorization.close()])
    },
  })
}

/** An authorization server. */
class TokenGiver {
  issuer = ''
  readonly seen = {
    authorizations: [] as Record<string, string>[],
    registrations: [] as LabRequest[],
    grants: [] as Record<string, string>[],
  }
  readonly #options: GuardOptions
  readonly #tokens: Map<string, readonly string[]>

  constructor(options: GuardOptions, tokens: Map<string, readonly string[]>) {
    this.#options = options
    this.#tokens = tokens
  }

  async take(request: LabRequest, response: ServerResponse): Promise<boolean> {
    const { metadataPath = '/.well-known/oauth-authorization-server', issuerPath = '' } = this.#options
    const path = pathOf(request)
    if (path === metadataPath) return json(response, 200, this.#metadata())
    if (path === `${issuerPath}/authorize`) return this.#authorize(request, response)
    if (path === `${issuerPath}/token`) return this.#token(request, response)
    if (path !== `${issuerPath}/register`) return json(response, 404, {})
    this.seen.registrations.push(request)
    return json(response, 201, {
      ...JSON.parse(request.text),
      ...{ client_id: 'registered', client_secret: 'secret' },
      token_endpoint_auth_method: this.#options.tokenAuth,
    })
  }

  #metadata(): object {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: [this.#options.tokenAuth ?? 'none'],
      authorization_response_iss_parameter_supported: true,
      // What OpenID Connect asks of its own documents.
      ...{ jwks_uri: `${issuer}/jwks`, subject_types_supported: ['public'] },
      id_token_signing_alg_values_supported: ['RS256'],
      ...this.#options.metadata,
    }
  }

  #authorize({ url }: LabRequest, response: ServerResponse): boolean {
    const query = Object.fromEntries(new URL(url, this.issuer).searchParams)
    this.seen.authorizations.push(query)
    const back = new URL(query.redirect_uri ?? '')
    const answer = {
      code: String(this.seen.authorizations.length),
      state: query.state ?? '',
      iss: this.issuer,
    }
    for (const [name, value] of Object.entries(answer)) back.searchParams.set(name, value)
    response.writeHead(302, { location: back.href }).end()
    return true
  }

  async #token({ text, headers }: LabRequest, response: ServerResponse): Promise<boolean> {
    const form = Object.fromEntries(new URLSearchParams(text))
    const basic = headers.authorization?.replace('Basic ', '')
    const asked = this.seen.authorizations[Number(form.code) - 1]
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(form.code_verifier))
    if (asked?.code_challenge !== Buffer.from(hash).toString('base64url')) {
      return json(response, 400, { error: 'invalid_grant' })
    }
    const header = basic === undefined ? {} : { basic: Buffer.from(basic, 'base64').toString() }
    this.seen.grants.push({ ...form, ...header })
    const token = crypto.randomUUID()
    const scopes = this.#options.givesNothing ? [] : (asked.scope ?? '').split(' ')
    this.#tokens.set(token, scopes)
    return json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 3600 })
  }
}

function challenge(fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`
}

function pathOf({ url }: LabRequest): string {
  return new URL(url, 'http://loopback').pathname
}

function json(response: ServerResponse, status: number, value: object): boolean {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  return true
}
