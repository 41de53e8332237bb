import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from '../../.ci/processes.mjs'
import { readSets } from './retrieval.mjs'

/**
 * Projects every tool of the sets in a folder for every provider: how many tools there are, how many of them are set
 * aside by one provider at least, and how many a provider would refuse.
 * @param {string} folder
 * @returns {Promise<{ tools: number, setAside: number, invalid: number }>}
 */
export async function measureDialects(folder) {
  if (folder === '') throw new Error('dialects needs --data DIR, the folder with the sets of tools.')
  /** @type {{ module: typeof import('./dialects/project-catalogue.ts') }} */
  const { module } = await runnerImport(join(root, 'test/bench/dialects/project-catalogue.ts'), {
    logLevel: 'error',
  })
  return module.projectCatalogue(readSets(folder).flatMap(({ tools }) => tools))
}
