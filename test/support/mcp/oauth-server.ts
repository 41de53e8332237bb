import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import {
  createOAuthMetadata,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  mcpAuthRouter,
} from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import { AskingProvider, type Verdict } from './oauth-provider.ts'

type Next = (error?: unknown) => void
type ParsedRequest = IncomingMessage & { readonly body?: { readonly params?: { readonly name?: string } } }

/** A request that came to either server, without its headers. */
export interface SeenRequest {
  readonly path: string
  /** Of the query and the body together. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** A server that wants access tokens, and the authorization server that gives them, on loopback. */
export interface OAuthServers {
  /** Of the MCP server: tools `whoami` (scope mcp:tools) and `admin` (also mcp:admin). */
  readonly url: URL
  readonly issuer: URL
  verdict: Verdict
  /** Sent by the authorization server with each answer. */
  pageHeaders: Readonly<Record<string, string>>
  /** What its metadata say otherwise. */
  metadata: Partial<OAuthMetadata>
  readonly seen: SeenRequest[]
  /** Those that asked the token endpoint for this kind of grant. */
  tokenRequests(grant: 'authorization_code' | 'refresh_token'): readonly SeenRequest[]
  /** All access tokens are refused from now on; refresh tokens stay good. */
  expireAccess(): void
  /** All tokens are refused from now on. */
  revokeAll(): void
  /** All clients are unknown from now on. */
  forgetClients(): void
  /** Every secret that was ever given out: tokens and codes. */
  readonly secrets: ReadonlySet<string>
  close(): Promise<void>
}

/** Starts both servers on free ports. */
export async function startOAuthServers(): Promise<OAuthServers> {
  const seen: SeenRequest[] = []
  const control: Control = { verdict: 'approve', pageHeaders: {}, metadata: {} }
  const provider = new AskingProvider(control)
  const authorization = await listen((issuer) => authorizationApp(provider, issuer, seen, control))
  const resource = await listen((base) =>
    resourceApp(provider, authorization.url, new URL('/mcp', base), seen),
  )
  return Object.assign(control, {
    url: new URL('/mcp', resource.url),
    issuer: authorization.url,
    seen,
    secrets: provider.secrets,
    tokenRequests: (grant: string) => seen.filter(({ fields }) => fields.grant_type === grant),
    expireAccess: () => provider.access.clear(),
    revokeAll: () => {
      provider.access.clear()
      provider.refreshable.clear()
    },
    forgetClients: () =>
      (provider.clientsStore as unknown as { clients: Map<string, unknown> }).clients.clear(),
    close: async () => {
      await Promise.all([authorization.close(), resource.close()])
    },
  })
}

interface Control {
  verdict: Verdict
  pageHeaders: Readonly<Record<string, string>>
  metadata: Partial<OAuthMetadata>
}

function authorizationApp(
  provider: AskingProvider,
  issuerUrl: URL,
  seen: SeenRequest[],
  control: Control,
): RequestListener {
  const app = createMcpExpressApp()
  record(app, seen)
  app.use(
    '/.well-known/oauth-authorization-server',
    (_request: IncomingMessage, response: ServerResponse) => {
      const metadata = { ...createOAuthMetadata({ provider, issuerUrl }), ...control.metadata }
      response.setHeader('access-control-allow-origin', '*').setHeader('access-control-allow-headers', '*')
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
    },
  )
  const unlimited = { rateLimit: false } as const
  app.use(
    mcpAuthRouter({
      provider,
      issuerUrl,
      ...{ authorizationOptions: unlimited, tokenOptions: unlimited, clientRegistrationOptions: unlimited },
    }),
  )
  return (request, response) => {
    for (const [name, value] of Object.entries(control.pageHeaders)) response.setHeader(name, value)
    app(request, response)
  }
}

function resourceApp(
  provider: AskingProvider,
  issuerUrl: URL,
  url: URL,
  seen: SeenRequest[],
): RequestListener {
  const app = createMcpExpressApp()
  record(app, seen)
  const oauthMetadata = createOAuthMetadata({ provider, issuerUrl })
  app.use(mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: url, scopesSupported: ['mcp:tools'] }))
  const parts = { verifier: provider, resourceMetadataUrl: getOAuthProtectedResourceMetadataUrl(url) }
  const anybody = requireBearerAuth({ ...parts, requiredScopes: ['mcp:tools'] })
  const admin = requireBearerAuth({ ...parts, requiredScopes: ['mcp:tools', 'mcp:admin'] })
  app.use('/mcp', (request: ParsedRequest, response: ServerResponse, next: Next) => {
    allowOrigins(response)
    if (request.method === 'OPTIONS') return response.writeHead(204).end()
    const gate = request.body?.params?.name === 'admin' ? admin : anybody
    return gate(request, response, next)
  })
  app.use('/mcp', (request: ParsedRequest, response: ServerResponse) => {
    if (request.method === 'POST') return answer(request, response)
    return response.writeHead(405).end()
  })
  return app
}

async function answer(request: ParsedRequest, response: ServerResponse): Promise<void> {
  const server = new McpServer({ name: 'guarded', version: '1.0.0' })
  for (const name of ['whoami', 'admin']) {
    server.registerTool(name, { description: 'Tells the scopes of the caller.' }, ({ authInfo }) => ({
      content: [{ type: 'text', text: `${name}: ${authInfo?.scopes.join(' ')}` }],
    }))
  }
  // Stateless: the library's handling of sessions has tests of its own.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true })
  response.on('close', () => void server.close())
  await server.connect(transport as Parameters<typeof server.connect>[0])
  await transport.handleRequest(request, response, request.body)
}

function allowOrigins(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader(
    'access-control-allow-headers',
    'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id',
  )
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate')
}

/** What came is known whole only when it was answered. */
function record(app: ReturnType<typeof createMcpExpressApp>, seen: SeenRequest[]): void {
  app.use(
    (request: IncomingMessage & { body?: object; query?: object }, response: ServerResponse, next: Next) => {
      const path = new URL(request.url ?? '/', 'http://loopback').pathname
      response.on('finish', () => seen.push({ path, fields: { ...request.query, ...request.body } }))
      next()
    },
  )
}

async function listen(make: (base: URL) => RequestListener): Promise<{ url: URL; close(): Promise<void> }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  server.on('request', make(url))
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
