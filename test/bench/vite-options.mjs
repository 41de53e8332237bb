import { join } from 'node:path'
import { loadConfigFromFile } from 'vite'
import { root } from '../../.ci/processes.mjs'

/**
 * What a build of a benchmark shares with the project's own: how the package's names are found. The rest of
 * vite.config.ts is about the demo.
 * @returns {Promise<import('vite').InlineConfig>}
 */
export async function viteOptions() {
  const environment = { command: /** @type {const} */ ('build'), mode: 'production' }
  const loaded = await loadConfigFromFile(environment, join(root, 'vite.config.ts'))
  const { resolve, worker } = loaded?.config ?? {}
  return { configFile: false, logLevel: 'error', ...(resolve && { resolve }), ...(worker && { worker }) }
}
