import type { IncomingMessage, ServerResponse } from 'node:http'
import { companionInfo } from './companion-info.ts'
import type { CompanionSettings } from './companion-options.ts'
import { answerJson, refuse } from './http/answer.ts'
import { type Admitted, admit } from './http/http-gate.ts'
import type { Pairing } from './http/pairing.ts'
import { readJson } from './http/read-body.ts'
import type { McpEndpoint } from './mcp/mcp-endpoint.ts'

/** What requests are answered with. */
export interface Site {
  readonly settings: CompanionSettings
  readonly pairing: Pairing
  readonly endpoints: ReadonlyMap<string, McpEndpoint>
  portOf(): number
}

/** Answers one request; whatever goes wrong with it ends that request alone. */
export async function serve(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { settings, pairing } = site
  const { origins } = settings
  const knowsToken = (token: string, origin: string) => pairing.knows(token, origin)
  try {
    const admitted = admit(request, response, { port: site.portOf, origins, knowsToken })
    if (admitted !== undefined) await route(site, admitted, request, response)
  } catch (error) {
    settings.log(`a request failed: ${error instanceof Error ? error.message : String(error)}`)
    if (response.headersSent) response.destroy()
    else refuse(response, { status: 500, code: 'failed', message: 'It failed; the terminal says why.' })
  }
}

async function route(
  { settings, pairing, endpoints }: Site,
  { path, origin }: Admitted,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/health') {
    // A page under Cross-Origin-Embedder-Policy may look, too, whether something runs here.
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    return answerJson(response, 200, companionInfo)
  }
  if (path === '/pair') {
    const body = await readJson(request, maxPairBytes)
    if ('code' in body) return refuse(response, body)
    const exchanged = pairing.exchange((Object(body.value) as { code?: unknown }).code, origin)
    if (!('token' in exchanged)) return refuse(response, exchanged)
    settings.log(`paired with ${origin}`)
    const servers = Object.keys(settings.mcp)
    return answerJson(response, 200, { token: exchanged.token, servers })
  }
  const endpoint = endpoints.get(path)
  if (endpoint !== undefined) return endpoint.handle(request, response, origin)
  return refuse(response, { status: 404, code: 'not-found', message: 'There is nothing here.' })
}

const maxPairBytes = 1_000
