import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from '../mcp/load-sdk.ts'
import type { OpenPeer, Peer } from '../mcp/peer.ts'
import type { WebSearch } from '../search/web-search.ts'
import type { Shell } from '../shell/shell.ts'
import { callSearch } from './search-call.ts'
import { callShell } from './shell-call.ts'
import { toolDefinitions } from './tool-definitions.ts'

/** What the companion's own tools stand on. */
export interface OwnToolsOptions {
  readonly sdk: Sdk
  readonly version: string
  readonly shell: Shell
  readonly search: WebSearch
}

/** Serves the tools `shell` and `web_search`. */
export function ownTools({ sdk, version, shell, search }: OwnToolsOptions): OpenPeer {
  return async ({ transport }) => {
    const server = new sdk.Server({ name: 'offstage-companion', version }, { capabilities: { tools: {} } })
    let running = 0
    server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: toolDefinitions }))
    server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
      const { name, arguments: input = {}, _meta } = params
      const { progressToken } = _meta ?? {}
      let progress = 0
      const onOutput = (message: string) => {
        if (progressToken === undefined) return
        progress += message.length
        const told = { progressToken, progress, message }
        sendNotification({ method: 'notifications/progress', params: told }).catch(() => {})
      }
      running += 1
      try {
        if (name === 'shell') return await callShell(shell, input, { signal, onOutput })
        if (name === 'web_search') return await callSearch(search, input, signal)
        return {
          content: [{ type: 'text', text: `There is no tool "${name.slice(0, 100)}".` }],
          isError: true,
        }
      } finally {
        running -= 1
      }
    })
    await server.connect(transport)
    const peer: Peer = {
      get isBusy() {
        return running > 0
      },
      abandoned(requestIds) {
        for (const requestId of requestIds) {
          const params = { requestId, reason: 'The page is gone.' }
          transport.onmessage?.({
            jsonrpc: '2.0',
            method: 'notifications/cancelled',
            params,
          } as JSONRPCMessage)
        }
      },
      close: () => server.close(),
    }
    return peer
  }
}
