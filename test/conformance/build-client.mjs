import { join } from 'node:path'
import { build, preview } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { viteOptions } from '../bench/vite-options.mjs'

const source = join(root, 'test/conformance')
// Not below the suite's own packages, which must not be found from here.
const target = join(root, 'test/.results/conformance-client')
// Of a strict site whose servers are on this machine.
const policy = "default-src 'self'; connect-src 'self' http://127.0.0.1:* http://localhost:*"

/**
 * Bundles the client for Node.
 * @returns {Promise<string>} its path
 */
export async function buildNodeClient() {
  const outDir = join(target, 'node')
  const input = join(source, 'node-client.ts')
  const output = { entryFileNames: '[name].mjs' }
  await build({
    ...(await viteOptions()),
    root: source,
    ssr: { noExternal: true },
    build: { ssr: true, target: 'node20', outDir, emptyOutDir: true, rolldownOptions: { input, output } },
  })
  return join(outDir, 'node-client.mjs')
}

/**
 * Builds the pages of the client in a browser, and serves them.
 * @returns {Promise<{ address: string, stop: () => Promise<void> }>}
 */
export async function servePages() {
  const pages = join(source, 'pages')
  const outDir = join(target, 'pages')
  const input = ['index.html', 'callback.html', 'everything.html'].map((name) => join(pages, name))
  const shared = { ...(await viteOptions()), root: pages }
  await build({ ...shared, build: { outDir, emptyOutDir: true, rolldownOptions: { input } } })
  const headers = { 'Content-Security-Policy': policy }
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0, headers },
  })
  const [address = ''] = server.resolvedUrls?.local ?? []
  return { address, stop: () => server.close() }
}
