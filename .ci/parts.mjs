import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.mjs'
import { root, run } from './processes.mjs'
import { failedTest, nameIn, readPlaywrightReport, readVitestReport, settleRunner } from './reports.mjs'

/** @typedef {import('./reports.mjs').TestRecord} TestRecord */
/** @typedef {{ environment?: Record<string, string> }} RunOptions */

/** Folder of everything a test run leaves behind, relative to the root. */
export const RESULTS = 'test/.results'

const TSC = 'node_modules/typescript/bin/tsc'
const BIOME = 'node_modules/@biomejs/biome/bin/biome'
export const VITEST = 'node_modules/vitest/vitest.mjs'
const VITE = 'node_modules/vite/bin/vite.js'
const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js'

/**
 * Type-checks sources, tests and scripts: one test.
 * @returns {Promise<TestRecord[]>}
 */
export async function checkTypes() {
  // All of them run even if the first fails, so that one run shows every message.
  const exitCodes = [
    await tsc('.'),
    await tsc('src', '--noEmit'),
    await tsc('src/companion', '--noEmit'),
    await tsc('.ci'),
  ]
  const state = exitCodes.every((exitCode) => exitCode === 0) ? 'passed' : 'failed'
  return [{ name: 'types: sources, tests and scripts compile', file: 'tsconfig.json', state }]
}

/** @param {string[]} programArguments */
function tsc(...programArguments) {
  return run(process.execPath, [TSC, '-p', ...programArguments])
}

/**
 * Lints and checks the format: one test.
 * @returns {Promise<TestRecord[]>}
 */
export async function lint() {
  const exitCode = await run(process.execPath, [BIOME, 'ci', '--colors=off', '.'])
  const state = exitCode === 0 ? 'passed' : 'failed'
  return [{ name: 'lint: no rule is broken and every file is formatted', file: 'biome.json', state }]
}

/**
 * Runs one project of test/vitest.config.ts.
 * @param {string} project
 * @param {RunOptions} [options]
 * @returns {Promise<TestRecord[]>}
 */
export async function runVitest(project, options) {
  const configuration = 'test/vitest.config.ts'
  const reportFile = `${RESULTS}/vitest-${project}.json`
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`]
  const programArguments = [VITEST, 'run', '--config', configuration, '--project', project, ...reporters]
  const exitCode = await run(process.execPath, programArguments, options)
  const reported = readReport(reportFile, readVitestReport)
  return settleRunner(project, configuration, exitCode, reported)
}

/**
 * Runs the browser tests in one engine.
 * @param {string} engine
 * @param {RunOptions} [options]
 * @returns {Promise<TestRecord[]>}
 */
export async function runInBrowser(engine, options) {
  const project = engine === 'chromium' ? 'browser' : `browser-${engine}`
  const tests = await runVitest(project, options)
  return tests.map((test) => ({ ...test, name: nameIn(engine, test.name) }))
}

/**
 * Runs the stories of test/e2e on the built demo, in these engines at the same time: most of a story is waiting.
 * @param {readonly string[]} engines
 * @param {RunOptions} [options]
 * @returns {Promise<TestRecord[]>}
 */
export async function runPlaywright(engines, options) {
  const exitCode = await run(process.execPath, [VITE, 'build', '--logLevel', 'warn'], options)
  if (exitCode !== 0) return [failedTest('e2e: the demo is built', 'vite.config.ts')]
  return (await Promise.all(engines.map((engine) => runPlaywrightIn(engine, options)))).flat()
}

/**
 * @param {string} engine
 * @param {RunOptions} [options]
 */
async function runPlaywrightIn(engine, options) {
  const configuration = 'test/playwright.config.ts'
  const programArguments = [PLAYWRIGHT, 'test', '--config', configuration, '--project', engine]
  const own = { E2E_RUN: engine, E2E_PORT: String(await freePort()) }
  const environment = { ...options?.environment, ...own }
  const exitCode = await run(process.execPath, programArguments, { environment })
  const reported = readReport(`${RESULTS}/playwright-${engine}.json`, readPlaywrightReport)
  return settleRunner(`e2e in ${engine}`, configuration, exitCode, reported)
}

/**
 * Tries the packed library in these apps of test/consumers.
 * @param {readonly string[]} apps
 * @param {RunOptions} [options]
 * @returns {Promise<TestRecord[]>}
 */
export async function runConsumers(apps, options) {
  const runner = 'test/consumers/run.mjs'
  const exitCode = await run(process.execPath, [runner, ...apps], options)
  /** @type {TestRecord[] | undefined} */
  const reported = readReport(`${RESULTS}/consumers.json`, (tests) => tests)
  return settleRunner('consumers', runner, exitCode, reported)
}

/**
 * Plays the scenarios of the protocol's own test suite: in plain Node, or in Chromium.
 * @param {'node' | 'chromium'} place
 * @param {RunOptions} [options]
 * @returns {Promise<TestRecord[]>}
 */
export async function runConformance(place, options) {
  const runner = '.ci/conformance.mjs'
  const programArguments = [runner, ...(place === 'chromium' ? ['--browser'] : [])]
  const exitCode = await run(process.execPath, programArguments, options)
  /** @type {TestRecord[] | undefined} */
  const reported = readReport(`${RESULTS}/conformance-${place}.json`, (tests) => tests)
  return settleRunner(`conformance in ${place}`, runner, exitCode, reported)
}

/**
 * @template Report
 * @param {string} file relative to the root
 * @param {(report: Report, root: string) => TestRecord[]} read
 * @returns {TestRecord[] | undefined}
 */
function readReport(file, read) {
  const path = join(root, file)
  if (!existsSync(path)) return undefined
  try {
    return read(JSON.parse(readFileSync(path, 'utf8')), root)
  } catch (error) {
    console.error(`${file} cannot be read:`, error)
    return undefined
  }
}
