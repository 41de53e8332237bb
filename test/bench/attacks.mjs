import { join } from 'node:path'
import { createServer } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { viteOptions } from './vite-options.mjs'

/**
 * What texts from outside make a model do that obeys every order: all attacks of the suite in test/security, with the
 * usual policy and without one.
 * @returns {Promise<Record<string, number>>}
 */
export async function measureAttacks() {
  // Nothing is served: it reads the sources, also those that are fetched later.
  const server = await createServer({
    ...(await viteOptions()),
    root,
    appType: 'custom',
    server: { middlewareMode: true, ws: false, hmr: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    /** @type {Partial<typeof import('../security/run-attacks.ts')>} */
    const { measureAttacks } = await server.ssrLoadModule(join(root, 'test/security/run-attacks.ts'))
    return { ...(await measureAttacks?.()) }
  } finally {
    await server.close()
  }
}
