import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** The parts of the MCP SDK that a companion needs. */
export interface Sdk {
  readonly Server: typeof Server
  readonly HttpTransport: typeof WebStandardStreamableHTTPServerTransport
  readonly ReadBuffer: typeof ReadBuffer
  readonly serializeMessage: typeof serializeMessage
  readonly CallToolRequestSchema: typeof CallToolRequestSchema
  readonly ListToolsRequestSchema: typeof ListToolsRequestSchema
}

/**
 * Loads the SDK, an optional peer of this package.
 *
 * @throws Error that says how to install it.
 */
export async function loadSdk(): Promise<Sdk> {
  try {
    const [{ Server }, { WebStandardStreamableHTTPServerTransport }, stdio, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/shared/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js'),
    ])
    const { ReadBuffer, serializeMessage } = stdio
    const { CallToolRequestSchema, ListToolsRequestSchema } = types
    return {
      ...{ Server, HttpTransport: WebStandardStreamableHTTPServerTransport, ReadBuffer, serializeMessage },
      ...{ CallToolRequestSchema, ListToolsRequestSchema },
    }
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new Error(
      'The companion needs the package @modelcontextprotocol/sdk, which is not installed. Install it beside ' +
        'offstage: npm install @modelcontextprotocol/sdk',
      { cause },
    )
  }
}
