import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { inBrowser } from './browser.mjs'

/**
 * What cancelled calls of an MCP server leave behind: in Chromium, against a server on loopback that answers as the
 * protocol asks for, a cancelled call not at all.
 * @param {import('./browser.mjs').BenchOptions} options
 * @returns {Promise<Record<string, number>>}
 */
export async function measureMcp(options) {
  /** @type {{ module: typeof import('../support/mcp/lab-server.ts') }} */
  const { module } = await runnerImport(join(root, 'test/support/mcp/lab-server.ts'), { logLevel: 'error' })
  const server = await module.startLabServer()
  try {
    return await inBrowser(options, (page) => page.evaluate((url) => bench.measureMcp(url), server.url))
  } finally {
    await server.close()
  }
}
