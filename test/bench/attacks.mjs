import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { inBrowser } from './browser.mjs'
import { viteOptions } from './vite-options.mjs'

/**
 * What texts from outside make a model do that obeys every order: all attacks of the suite in test/security, with the
 * usual policy and without one. Those through a tool worker run in a browser, all others here.
 * @param {import('./browser.mjs').BenchOptions & { every: number }} options - With each attack, or each fifth.
 * @returns {Promise<Record<string, number>>}
 */
export async function measureAttacks(options) {
  const here = await measureHere(options.every)
  const inWorkers = await inBrowser(options, (page) =>
    page.evaluate((every) => bench.measureWorkerAttacks(every), options.every),
  )
  // How many questions a task takes is no sum.
  const counts = Object.entries(inWorkers).map(([name, count]) => [name, (here[name] ?? 0) + count])
  return { ...here, ...Object.fromEntries(counts) }
}

/**
 * @param {number} every
 * @returns {Promise<Record<string, number>>}
 */
async function measureHere(every) {
  // Nothing is served: it reads the sources, also those that are fetched later.
  const server = await createServer({
    ...(await viteOptions()),
    root,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    /** @type {{ measureAttacks?: (every: number) => Promise<object> }} */
    const { measureAttacks } = await server.ssrLoadModule(join(root, 'test/security/all-attacks.ts'))
    return { ...(await measureAttacks?.(every)) }
  } finally {
    await server.close()
  }
}
