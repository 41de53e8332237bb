import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { provideChromium } from './chromium.mjs'
import { installDependencies } from './dependencies.mjs'
import { RESULTS, VITEST } from './parts.mjs'
import { root, run } from './processes.mjs'

/**
 * `npm run coverage`: the unit tests and the browser tests in Chromium, workers included, and then lines and
 * branches of each folder of src.
 */

/** @typedef {{ total: number, covered: number }} Count */
/** @typedef {Record<string, { lines: Count, branches: Count }>} Summary */

const folder = join(root, RESULTS, 'coverage')
rmSync(folder, { recursive: true, force: true })
await installDependencies()
const environment = { CHROMIUM_PATH: await provideChromium(), COVERAGE: '1' }
const projects = ['--project', 'unit', '--project', 'browser']
const programArguments = [VITEST, 'run', '--config', 'test/vitest.config.ts', ...projects, '--coverage']
process.exitCode = await run(process.execPath, programArguments, { environment })
const summary = join(folder, 'coverage-summary.json')
if (existsSync(summary)) printFolders(JSON.parse(readFileSync(summary, 'utf8')))

/** @param {Summary} summary */
function printFolders(summary) {
  /** @type {Map<string, { lines: Count, branches: Count }>} */
  const folders = new Map()
  for (const [file, { lines, branches }] of Object.entries(summary)) {
    const name = file === 'total' ? 'in all' : relative(root, dirname(file))
    const sum = folders.get(name)
    folders.set(name, { lines: add(sum?.lines, lines), branches: add(sum?.branches, branches) })
  }
  console.log(`\n${'folder'.padEnd(24)}${'lines'.padStart(18)}${'branches'.padStart(18)}`)
  for (const [name, { lines, branches }] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    console.log(`${name.padEnd(24)}${shown(lines)}${shown(branches)}`)
  }
}

/**
 * @param {Count | undefined} sum
 * @param {Count} more
 */
function add(sum = { total: 0, covered: 0 }, more) {
  return { total: sum.total + more.total, covered: sum.covered + more.covered }
}

/** @param {Count} count */
function shown({ total, covered }) {
  const share = total === 0 ? '100.0' : ((covered / total) * 100).toFixed(1)
  return `${share} % (${covered}/${total})`.padStart(18)
}
