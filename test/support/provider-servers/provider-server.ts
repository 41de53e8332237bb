import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { withResolvers } from '../../../src/tool/resolvers.ts'

/** What a server was asked. */
export interface ProviderRequest<Body> {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Body
}

/** One answer of a server. */
export interface ProviderReply {
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body, in the pieces in which it is sent. */
  readonly body: readonly string[]
  /** Whether the connection stays open after the body, until the client closes it. */
  readonly staysOpen?: boolean
}

/** A server on loopback that gives its answers one by one. */
export interface ProviderServer<Body> {
  readonly url: string
  readonly requests: readonly ProviderRequest<Body>[]
  /** Settles when a client has left an answer before its end. */
  readonly left: Promise<void>
}

/** What a provider refuses, and how it says so. */
export interface ProviderRules<Body> {
  /** What is wrong with a request, in the provider's own words; undefined when nothing is. */
  complaint(body: Body): string | undefined
  /** The body of its error. */
  error(message: string): object
}

/** Starts a server for one test; a request that breaks the rules is answered with status 400. */
export async function openProviderServer<Body>(
  rules: ProviderRules<Body>,
  replies: readonly ProviderReply[],
): Promise<ProviderServer<Body>> {
  const requests: ProviderRequest<Body>[] = []
  const { promise: left, resolve: leave } = withResolvers<void>()
  const server = createServer(async (incoming, outgoing) => {
    const body = JSON.parse(await text(incoming)) as Body
    const reply = replies[requests.length]
    requests.push({ path: incoming.url ?? '', headers: incoming.headers, body })
    const unexpected = reply === undefined ? `request ${requests.length} was not expected` : undefined
    const complaint = rules.complaint(body) ?? unexpected
    const refusal = complaint === undefined ? undefined : failure(400, rules.error(complaint))
    send(outgoing, refusal ?? reply, leave)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, left }
}

function send(outgoing: ServerResponse, reply: ProviderReply | undefined, onLeft: () => void): void {
  const { status = 200, headers = {}, body = [], staysOpen = false } = reply ?? {}
  outgoing.on('close', () => outgoing.writableFinished || onLeft())
  outgoing.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
  for (const piece of body) outgoing.write(piece)
  if (!staysOpen) outgoing.end()
}

/** An answer that is an error. */
export function failure(
  status: number,
  error: object,
  headers: Readonly<Record<string, string>> = {},
): ProviderReply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: [JSON.stringify(error)],
  }
}

/** Server-sent events, one for each value. */
export function events(values: readonly object[]): readonly string[] {
  return values.map((value) => `data: ${JSON.stringify(value)}\n\n`)
}

async function text(body: AsyncIterable<unknown>): Promise<string> {
  let all = ''
  for await (const piece of body) all += String(piece)
  return all
}
