import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { inBrowser } from './browser.mjs'
import { viteOptions } from './vite-options.mjs'

/**
 * What texts from outside make a model do that obeys every order: all attacks of the suite in test/security, with the
 * usual policy and without one. Those through a tool worker run in a browser, all others here.
 * @param {import('./browser.mjs').BenchOptions} options
 * @returns {Promise<Record<string, number>>}
 */
export async function measureAttacks(options) {
  const here = await measureHere()
  const inWorkers = await inBrowser(options, (page) => page.evaluate(() => bench.measureWorkerAttacks()))
  // How many questions a task takes is no sum.
  const counts = Object.entries(inWorkers).map(([name, count]) => [name, (here[name] ?? 0) + count])
  return { ...here, ...Object.fromEntries(counts) }
}

/** @returns {Promise<Record<string, number>>} */
async function measureHere() {
  // Nothing is served: it reads the sources, also those that are fetched later.
  const server = await createServer({
    ...(await viteOptions()),
    root,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    /** @type {{ measureAttacks?: () => Promise<object> }} */
    const { measureAttacks } = await server.ssrLoadModule(join(root, 'test/security/all-attacks.ts'))
    return { ...(await measureAttacks?.()) }
  } finally {
    await server.close()
  }
}
