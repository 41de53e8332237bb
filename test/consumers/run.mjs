import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { runnerImport } from 'vite'
import { provideChromium } from '../../.ci/chromium.mjs'
import { root } from '../../.ci/processes.mjs'
import { failedTest, summaryLine } from '../../.ci/reports.mjs'
import { consumerApps } from './consumer-apps.mjs'
import { packLibrary } from './library-tarball.mjs'
import { testApp } from './test-app.mjs'

/**
 * `node test/consumers/run.mjs [NAME …] [--tarball FILE]`: packs the library and tries it in the named apps, or
 * in all. With `--tarball`, tries that one instead.
 */

/** How many apps are tested at once. */
const atOnce = 2

const names = process.argv.slice(2)
const tarballAt = names.indexOf('--tarball')
const [, givenTarball] = tarballAt < 0 ? [] : names.splice(tarballAt, 2)
const known = consumerApps.map(({ name }) => name)
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`There is no app named ${unknown.join(', ')}. The apps are ${known.join(', ')}.`)
  process.exit(2)
}

const folder = mkdtempSync(join(tmpdir(), 'offstage-consumers-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143))

const tests = await testAll(consumerApps.filter(({ name }) => names.length === 0 || names.includes(name)))
mkdirSync(join(root, 'test/.results'), { recursive: true })
writeFileSync(join(root, 'test/.results/consumers.json'), `${JSON.stringify(tests, null, 2)}\n`)
process.exitCode = tests.some(({ state }) => state === 'failed') ? 1 : 0
console.log(summaryLine(tests))

/** @param {readonly import('./consumer-apps.mjs').ConsumerApp[]} apps */
async function testAll(apps) {
  try {
    const tarball = givenTarball === undefined ? await packLibrary(folder) : resolve(givenTarball)
    const browser = await chromium.launch(await launchOptions())
    try {
      return await inTurns(apps, (app) => testApp(app, { folder, tarball, browser }))
    } finally {
      await browser.close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return [failedTest('consumers: the library is packed and a Chromium starts', 'test/consumers/run.mjs')]
  }
}

// Written in TypeScript for the other test runners, which Node 20 cannot read by itself.
async function launchOptions() {
  process.env.CHROMIUM_PATH ||= await provideChromium()
  /** @type {{ module: typeof import('../run/chromium.ts') }} */
  const { module } = await runnerImport(join(root, 'test/run/chromium.ts'), { logLevel: 'error' })
  return module.chromiumLaunch
}

/**
 * Runs `run` for each item, a few at once; resolves to all that they gave, in the order of the items.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result[]>} run
 */
async function inTurns(items, run) {
  /** @type {Result[][]} */
  const results = []
  const left = items.entries()
  const takeTurns = async () => {
    for (const [index, item] of left) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
  return results.flat()
}
