import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { provideChromium } from './chromium.mjs'
import { installDependencies } from './dependencies.mjs'
import { checkTypes, lint, RESULTS, runPlaywright, runVitest, withoutBrowser } from './parts.mjs'
import { root } from './processes.mjs'
import { failedTest, summaryLine } from './reports.mjs'

/** @typedef {import('./reports.mjs').TestRecord} TestRecord */

const results = join(root, RESULTS)
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const { tests, problems } = await runEverything()
writeFileSync(join(results, 'tests.json'), `${JSON.stringify(tests, null, 2)}\n`)
for (const problem of problems) console.log(`\n${problem}`)
for (const { name, file } of tests.filter(({ state }) => state === 'failed')) {
  console.log(`failed: ${name} (${file})`)
}
process.exitCode = tests.some(({ state }) => state === 'failed') ? 1 : 0
console.log(summaryLine(tests))

/** @returns {Promise<{ tests: TestRecord[], problems: string[] }>} */
async function runEverything() {
  try {
    await installDependencies()
  } catch (error) {
    return {
      tests: [failedTest('setup: the packages are installed', 'package.json')],
      problems: [text(error)],
    }
  }
  /** @type {string[]} */
  const problems = []
  const chromium = await provideChromium().catch((error) => {
    problems.push(text(error))
    console.error(`\n${text(error)}\n\nThe parts that need no browser run all the same.`)
    return undefined
  })
  return { tests: await runParts(chromium), problems }
}

/**
 * Runs each part, whatever became of those before it.
 * @param {string | undefined} chromium path
 */
async function runParts(chromium) {
  const environment = { CHROMIUM_PATH: chromium ?? '', E2E_PORT: String(await freePort()) }
  /** @type {[string, () => Promise<TestRecord[]>][]} */
  const parts = [
    ['types', checkTypes],
    ['lint', lint],
    ['architecture', () => runVitest('architecture')],
    ['type tests', () => runVitest('types')],
    ['unit', () => runVitest('unit')],
    ['browser', async () => (chromium ? runVitest('browser', { environment }) : withoutBrowser('browser'))],
    ['e2e', async () => (chromium ? runPlaywright({ environment }) : withoutBrowser('e2e'))],
  ]
  /** @type {TestRecord[]} */
  const tests = []
  for (const [name, runPart] of parts) {
    console.log(`\n# ${name}`)
    const started = performance.now()
    const ofPart = await runPart()
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`# ${name}: ${summaryLine(ofPart)} (${seconds} s)`)
    tests.push(...ofPart)
  }
  return tests
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** @param {unknown} error */
function text(error) {
  return error instanceof Error ? error.message : String(error)
}
