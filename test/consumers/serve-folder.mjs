import { dirname } from 'node:path'
import { preview } from 'vite'

/**
 * Serves a folder as it is, for a build tool that has no server for that.
 * @param {string} folder absolute
 * @returns {Promise<import('./app-server.mjs').AppServer>}
 */
export async function serveFolder(folder) {
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    root: dirname(folder),
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const [address = ''] = server.resolvedUrls?.local ?? []
  return { address, output: () => '', stop: () => server.close() }
}
