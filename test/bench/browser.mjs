import { join } from 'node:path'
import { chromium } from 'playwright'
import { build, preview } from 'vite'
import { provideChromium } from '../../.ci/chromium.mjs'
import { root } from '../../.ci/processes.mjs'
import { viteOptions } from './vite-options.mjs'

const pages = join(root, 'test/bench/pages')
const outDir = join(root, 'test/.results/bench')
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-sync',
]

/**
 * @typedef {object} BenchOptions
 * @property {number} handicapMs by how much the measured path is delayed
 * @property {number} runs how many times each figure is measured
 */

/**
 * Builds the page of the benchmarks, opens it in Chromium and hands it over. Isolated across origins, so
 * that the clock is fine enough.
 * @template T
 * @param {BenchOptions} options
 * @param {(page: import('playwright').Page, browser: import('playwright').Browser) => Promise<T>} measure
 * @returns {Promise<T>}
 */
export async function inBrowser({ handicapMs, runs }, measure) {
  const input = join(pages, 'index.html')
  const shared = { ...(await viteOptions()), root: pages }
  await build({ ...shared, build: { outDir, emptyOutDir: true, rolldownOptions: { input } } })
  const headers = {
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
  }
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { port: 0, host: '127.0.0.1', headers },
  })
  const browser = await chromium.launch({ executablePath: await provideChromium(), args: flags })
  try {
    const page = await browser.newPage()
    page.on('pageerror', (error) => console.error(error))
    await page.goto(`${server.resolvedUrls?.local[0]}?handicap=${handicapMs}&runs=${runs}`)
    await page.waitForFunction(() => 'bench' in globalThis)
    return await measure(page, browser)
  } finally {
    await browser.close()
    await server.close()
  }
}
