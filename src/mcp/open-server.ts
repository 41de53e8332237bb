import { latePart } from '../tool/late-part.ts'
import type { McpConnectionOptions } from './connection/mcp-connection.ts'
import type { ClientSettings } from './mcp-options.ts'
import { RemoteServer, type ServerState } from './remote-server.ts'
import type { OpenConnection } from './server-link.ts'

/** What speaks the protocol: it is fetched for the first connection. */
const connections = latePart(async () => {
  const { openMcpConnection } = await import('./connection/sdk-connection.ts')
  return { openMcpConnection }
})

/** The server of a client; it connects when something is asked of it. */
export function openServer(settings: ClientSettings, publish: (state: ServerState) => void): RemoteServer {
  const access = settings.auth?.forServer(settings.url)
  const open: OpenConnection = async (given) => {
    const { openMcpConnection } = await connections()
    // The page may be the one that a sign-in has led back to.
    await access?.resume()
    return openMcpConnection({ ...connectionOptions(settings), ...given })
  }
  const server = new RemoteServer(settings, open, publish)
  access?.subscribe((event) => {
    if (event === 'authorized') server.reconnect()
  })
  return server
}

function connectionOptions({
  url,
  headers,
  auth,
  timeoutMs,
  fetch,
}: ClientSettings): Omit<McpConnectionOptions, 'events' | 'signal'> {
  const access = auth?.forServer(url)
  const ownFetch = access === undefined ? fetch : access.fetch(fetch)
  return {
    url,
    timeoutMs,
    ...(headers === undefined ? {} : { headers: typeof headers === 'function' ? headers : () => headers }),
    ...(access === undefined ? {} : { authProvider: access.provider }),
    ...(ownFetch === undefined ? {} : { fetch: ownFetch }),
  }
}
