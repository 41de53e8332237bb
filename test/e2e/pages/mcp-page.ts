import { ToolExecutor, type ToolResult, type ToolSource, WorkerToolset, withoutFence } from 'offstage'
import { MCPClient, type MCPStatus } from 'offstage/mcp'
import { allowOwnWorkers } from '../../../demo/shared/own-workers.ts'

/** What mcp.html does for a test. */
export interface McpPage {
  /** Connects to a server, lists its tools and calls some of them; what became of it. */
  callOnPage(url: string, calls: readonly PageCall[]): Promise<PageReport>
  /** The same with a client inside of a tool worker. */
  callInWorker(url: string, calls: readonly PageCall[]): Promise<PageReport>
  /** Makes code from a text; gives the name of the error when that is refused. */
  makeCode(): Promise<string>
}

export interface PageCall {
  readonly name: string
  readonly input: unknown
}

/** What became of it. */
export interface PageReport {
  readonly names: readonly string[]
  readonly results: readonly (readonly [outcome: ToolResult['outcome'], text: string])[]
  readonly status?: MCPStatus
}

async function callThrough(source: ToolSource, calls: readonly PageCall[]): Promise<PageReport> {
  const gate = new ToolExecutor({ tools: [source] })
  const listed = await gate.list()
  const results = await gate.executeStep(calls)
  return {
    names: listed.map(({ definition }) => definition.name),
    results: results.map(({ outcome, response }) => [outcome, withoutFence(response.text)]),
  }
}

const page: McpPage = {
  callOnPage: async (url, calls) => {
    const client = new MCPClient({ url, namespace: 'lab', needsApproval: false })
    const report = await callThrough(client, calls)
    const { status } = client
    await client.close()
    return { ...report, status }
  },
  callInWorker: async (url, calls) => {
    const pool = new WorkerToolset(
      () => new Worker(new URL('./mcp.worker.ts', import.meta.url), { type: 'module', name: url }),
      { size: 1 },
    )
    const report = await callThrough(pool, calls)
    await pool.close()
    return report
  },
  makeCode: () =>
    new Promise((resolve) => {
      // Not at once: what a test has the page do is not under its policy.
      setTimeout(() => {
        try {
          resolve(`made ${new Function('return 1')()}`)
        } catch (error) {
          resolve((error as Error).name)
        }
      })
    }),
}

allowOwnWorkers()
Object.assign(globalThis, { mcp: page })
