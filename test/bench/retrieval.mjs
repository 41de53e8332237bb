import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { runnerImport } from 'vite'
import { buildLibrary } from '../../.ci/build-library.mjs'
import { root } from '../../.ci/processes.mjs'
import { inBrowser } from './browser.mjs'

/** @typedef {import('./retrieval/measure-retrieval.ts').RetrievalReport} RetrievalReport */
/** @typedef {import('./retrieval/measure-retrieval.ts').RetrievalOptions} RetrievalOptions */

/**
 * How well and how fast tools are found, for every .json file of a folder: each is a set of tools and requests. In this
 * process with the built library, or in Chromium.
 * @param {RetrievalOptions & { folder: string, browser: boolean }} options
 * @returns {Promise<RetrievalReport>}
 */
export async function measureRetrieval({ folder, browser, ...options }) {
  if (folder === '')
    throw new Error('retrieval needs --data DIR, the folder with the sets of tools and requests.')
  const data = readSets(folder)
  return browser ? measureInBrowser(data, options) : measureHere(data, options)
}

/** @param {string} folder */
export function readSets(folder) {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
  if (files.length === 0) throw new Error(`${folder} has no .json file: each is a set of tools and requests.`)
  return files.map((file) => ({
    ...JSON.parse(readFileSync(join(folder, file), 'utf8')),
    name: file.slice(0, -'.json'.length),
  }))
}

/**
 * @param {ReturnType<typeof readSets>} data
 * @param {RetrievalOptions} options
 */
async function measureHere(data, options) {
  if ((await buildLibrary()) !== 0) throw new Error('The library does not build.')
  /** @type {typeof import('../../src/retrieval/index.ts')} */
  const { ToolIndex } = await import(pathToFileURL(join(root, 'dist/retrieval/index.js')).href)
  /** @type {{ module: typeof import('./retrieval/measure-retrieval.ts') }} */
  const { module } = await runnerImport(join(root, 'test/bench/retrieval/measure-retrieval.ts'), {
    logLevel: 'error',
  })
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  return module.measureRetrieval(data, options, {
    makeIndex: () => new ToolIndex(),
    usedHeapBytes: async () => {
      collect()
      return process.memoryUsage().heapUsed
    },
  })
}

/**
 * @param {ReturnType<typeof readSets>} data
 * @param {RetrievalOptions} options
 */
async function measureInBrowser(data, options) {
  return inBrowser(options, async (page) => {
    const session = await page.context().newCDPSession(page)
    await page.exposeFunction('usedHeapBytes', async () => {
      await session.send('HeapProfiler.collectGarbage')
      return (await session.send('Runtime.getHeapUsage')).usedSize
    })
    const given = { text: JSON.stringify(data), options }
    return page.evaluate((chosen) => bench.measureRetrieval(chosen.text, chosen.options), given)
  })
}
