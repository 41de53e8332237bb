import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bridgeTo } from './bridge/bridge.ts'
import { companionInfo } from './companion-info.ts'
import { type CompanionOptions, type CompanionSettings, checkCompanionOptions } from './companion-options.ts'
import { Pairing } from './http/pairing.ts'
import { loadSdk, type Sdk } from './mcp/load-sdk.ts'
import { McpEndpoint } from './mcp/mcp-endpoint.ts'
import type { OpenPeer } from './mcp/peer.ts'
import { ownTools } from './own-tools/own-tools.ts'
import { webSearch } from './search/web-search.ts'
import { createShell } from './shell/create-shell.ts'
import type { Shell } from './shell/shell.ts'
import { type Site, serve } from './site.ts'

/** A companion that runs. */
export interface Companion {
  /** Where it listens: `http://127.0.0.1:` and the port. */
  readonly url: string
  readonly port: number
  /** A new link that pairs one page, once. A link of before that nobody has used ends with it. */
  pairingLink(): string
  /** Ends it, and all that it has started. */
  close(): Promise<void>
}

/** The most that a page may ask for; what it gets without asking is less. */
const shellLimits = { timeoutMs: 120_000, maxOutputChars: 50_000 }

/** How often it is looked for sessions that nobody uses, at most, in milliseconds. */
const tidyMs = 30_000

/**
 * Starts the companion: an MCP server on 127.0.0.1 through which pages that a person has paired run commands, search
 * the web and reach local MCP servers.
 *
 * @throws Error that says which option is wrong, that the port is taken, or that @modelcontextprotocol/sdk is missing.
 * @example
 * const companion = await startCompanion({ allow: ['git', 'ls'], origins: ['http://localhost:5173'] })
 * console.log(companion.pairingLink())
 */
export async function startCompanion(options: CompanionOptions = {}): Promise<Companion> {
  const settings = checkCompanionOptions(options)
  const sdk = await loadSdk()
  const { allow, roots, commands, env } = settings
  const shell = await createShell({ allow, roots, templates: commands, env, ...shellLimits })
  const endpoints = openEndpoints(settings, sdk, shell)
  const pairing = new Pairing(settings.linkLifetimeMs)
  const server = createServer()
  const site: Site = { settings, pairing, endpoints, portOf: () => portOf(server) }
  server.on('request', (request, response) => void serve(site, request, response))
  try {
    await listen(server, settings.port)
  } catch (error) {
    await shell.close()
    throw error
  }
  const timer = setInterval(() => tidy(endpoints), Math.min(tidyMs, settings.idleMs / 2))
  const url = `http://127.0.0.1:${portOf(server)}`
  return {
    url,
    port: portOf(server),
    pairingLink: () => `${url}/#pair=${pairing.newCode()}`,
    async close() {
      clearInterval(timer)
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.all([...[...endpoints.values()].map((one) => one.close()), shell.close()])
      server.closeAllConnections()
      await closed
    },
  }
}

/** The companion's own MCP server, and one for each stdio server, by path. */
function openEndpoints(settings: CompanionSettings, sdk: Sdk, shell: Shell): Map<string, McpEndpoint> {
  const { idleMs, maxBodyBytes, log } = settings
  const { version } = companionInfo
  const search = webSearch(process.env, settings.search)
  const endpoint = (openPeer: OpenPeer) => new McpEndpoint({ sdk, openPeer, idleMs, maxBodyBytes })
  const endpoints = new Map([['/mcp/companion', endpoint(ownTools({ sdk, version, shell, search }))]])
  for (const [name, server] of Object.entries(settings.mcp)) {
    endpoints.set(`/mcp/${name}`, endpoint(bridgeTo({ name, server, sdk, log })))
  }
  return endpoints
}

function tidy(endpoints: ReadonlyMap<string, McpEndpoint>): void {
  const now = Date.now()
  for (const endpoint of endpoints.values()) endpoint.tidy(now)
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo | null)?.port ?? 0
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken. Give another one, or 0 for any that is free.`)
          : error,
      ),
    )
    // Never another address: what listens on all interfaces is open to the whole network.
    server.listen(port, '127.0.0.1', resolve)
  })
}
