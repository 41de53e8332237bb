import { Grants, memoryStore, ToolExecutor, type ToolExecutorOptions } from 'offstage'
import { MCPClient, type MCPClientOptions, memoryPinStore } from 'offstage/mcp'
import { onTestFinished } from 'vitest'
import { type LabServer, type LabServerOptions, startLabServer } from '../../../support/mcp/lab-server.ts'

/** A lab server that is closed after the test. */
export async function lab(options: LabServerOptions = {}): Promise<LabServer> {
  const server = await startLabServer(options)
  onTestFinished(() => server.close())
  return server
}

/** A client of a server that is closed after the test; nobody is asked, and pins last as long as it. */
export function clientOf(server: Pick<LabServer, 'url'>, options: Partial<MCPClientOptions> = {}): MCPClient {
  const client = new MCPClient({
    url: server.url,
    namespace: 'lab',
    needsApproval: false,
    pinStore: memoryPinStore(),
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

/** The gate over sources. */
export function gateOver(
  tools: ToolExecutorOptions['tools'],
  options: Omit<ToolExecutorOptions, 'tools'> = {},
): ToolExecutor {
  return new ToolExecutor({ tools, ...options })
}

/** Grants that last as long as the test. */
export function someGrants(): Grants {
  return new Grants({ store: memoryStore() })
}

/** Resolves once a condition holds; the test's own time limit ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
