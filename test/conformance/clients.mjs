import { join } from 'node:path'
import { chromium } from 'playwright'
import { runnerImport } from 'vite'
import { provideChromium } from '../../.ci/chromium.mjs'
import { root } from '../../.ci/processes.mjs'
import { buildNodeClient, servePages } from './build-client.mjs'

/**
 * What the suite's runner starts for each scenario.
 * @typedef {{ command: string, environment: Record<string, string>, close(): Promise<void> }} Client
 */

/**
 * The library in plain Node.
 * @returns {Promise<Client>}
 */
export async function nodeClient() {
  return { command: inNode(await buildNodeClient()), environment: {}, close: async () => {} }
}

/**
 * The library on pages of one Chromium.
 * @returns {Promise<Client>}
 */
export async function browserClient() {
  const pages = await servePages()
  process.env.CHROMIUM_PATH ||= await provideChromium()
  /** @type {{ module: typeof import('../run/chromium.ts') }} */
  const { module } = await runnerImport(join(root, 'test/run/chromium.ts'), { logLevel: 'error' })
  const { args = [], ...launch } = module.chromiumLaunch
  // The suite's servers send no CORS headers, and one between would have another address than their tokens are for.
  const server = await chromium.launchServer({ ...launch, args: [...args, '--disable-web-security'] })
  return {
    command: inNode(join(root, 'test/conformance/browser-client.mjs')),
    environment: { CONFORMANCE_BROWSER: server.wsEndpoint(), CONFORMANCE_PAGE: pages.address },
    async close() {
      await server.close()
      await pages.stop()
    },
  }
}

/** @param {string} file */
function inNode(file) {
  // The runner hands it to a shell.
  return `"${process.execPath}" "${file}"`
}
