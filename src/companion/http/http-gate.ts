import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Refusal, refuse } from './answer.ts'

/** What the gate knows. */
export interface GateRules {
  /** Known once the server listens. */
  port(): number
  /** Origins of the pages that may use the companion, exactly as browsers send them. */
  readonly origins: ReadonlySet<string>
  /** Whether a token was given to this origin. Takes the same time for any token. */
  knowsToken(token: string, origin: string): boolean
}

/** A request that passed the gate. */
export interface Admitted {
  readonly path: string
  /** Of the page; absent only for `/health` from a terminal. */
  readonly origin: string
}

/** What may be asked without a token. */
const openPaths: Readonly<Record<string, string>> = { '/health': 'GET', '/pair': 'POST' }

/**
 * Lets a request in or answers it: Host, then Origin, then preflight, then token. Binding to loopback alone keeps no web
 * page out, since pages run on this machine too: the Host header stops names that were rebound to 127.0.0.1, the Origin
 * header stops pages that nobody allowed, and the token stops what is no page.
 */
export function admit(
  request: IncomingMessage,
  response: ServerResponse,
  rules: GateRules,
): Admitted | undefined {
  // Not parsed as a URL: what is no path of ours is not found, whatever is in it. A query is part of no path here.
  const path = request.url ?? ''
  const origin = request.headers.origin ?? ''
  const isOpen = openPaths[path] === request.method
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('cache-control', 'no-store')
  const refusal = checkHost(request, rules) ?? checkOrigin(origin, path, request, rules)
  if (refusal !== undefined) {
    refuse(response, refusal)
    return undefined
  }
  if (origin !== '') allowPage(response, origin)
  if (request.method === 'OPTIONS') {
    response.writeHead(204, preflightHeaders)
    response.end()
    return undefined
  }
  if (!isOpen && !rules.knowsToken(tokenOf(request), origin)) {
    refuse(response, noToken)
    return undefined
  }
  return { path, origin }
}

function checkHost({ headers }: IncomingMessage, { port }: GateRules): Refusal | undefined {
  const hosts = [`127.0.0.1:${port()}`, `localhost:${port()}`]
  if (hosts.includes((headers.host ?? '').toLowerCase())) return undefined
  return { status: 403, code: 'host', message: `This server answers to the host ${hosts.join(' or ')} only.` }
}

function checkOrigin(
  origin: string,
  path: string,
  { method }: IncomingMessage,
  { origins }: GateRules,
): Refusal | undefined {
  if (origins.has(origin)) return undefined
  // Says only that something runs here: for a person at a terminal, and for a page that looks why it is refused.
  if (origin === '' && path === '/health' && method === 'GET') return undefined
  // Not repeated to a page that was not allowed: which ones are. The person sees that in the terminal.
  const who = origin === '' ? 'Requests without an Origin header are' : 'Pages of this origin are'
  return {
    status: 403,
    code: 'origin',
    message: `${who} not allowed. Start the companion with --origin and the origin of your page.`,
  }
}

function allowPage(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('vary', 'Origin')
  response.setHeader('access-control-expose-headers', 'mcp-session-id')
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers':
    'content-type, authorization, mcp-session-id, mcp-protocol-version, last-event-id',
  'access-control-max-age': '600',
}

function tokenOf({ headers }: IncomingMessage): string {
  return /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1] ?? ''
}

// One answer for no token, a wrong one, one in the address and one of another origin.
const noToken: Refusal = {
  status: 403,
  code: 'token',
  message:
    'A token is needed, in the header Authorization: Bearer …, and never in the address. A page gets one with the ' +
    'pairing link that the companion printed.',
}
