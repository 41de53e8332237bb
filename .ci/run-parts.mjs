import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RESULTS } from './parts.mjs'
import { root } from './processes.mjs'
import { summaryLine } from './reports.mjs'

/** @typedef {import('./reports.mjs').TestRecord} TestRecord */
/** @typedef {[name: string, run: () => Promise<TestRecord[]>]} Part */

/**
 * Runs each part, whatever became of those before it; the parts of a list at the same time.
 * @param {readonly (Part | readonly Part[])[]} parts
 */
export async function runParts(parts) {
  /** @type {TestRecord[]} */
  const tests = []
  for (const part of parts) {
    const together = isOnePart(part) ? [part] : part
    tests.push(...(await Promise.all(together.map(runPart))).flat())
  }
  return tests
}

/**
 * Whether it is one part, and not a list of them.
 * @param {Part | readonly Part[]} part
 * @returns {part is Part}
 */
export function isOnePart(part) {
  return typeof part[0] === 'string'
}

/** @param {Part} part */
async function runPart([name, run]) {
  console.log(`\n# ${name}`)
  const started = performance.now()
  const tests = await run()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`# ${name}: ${summaryLine(tests)} (${seconds} s)`)
  return tests
}

/**
 * Tells how a run ended: the problems, the failed tests, and last of all how many passed and failed. The exit
 * code says the same, and the file in the results folder all of it.
 * @param {string} file
 * @param {readonly TestRecord[]} tests
 * @param {readonly string[]} problems
 */
export function closeRun(file, tests, problems) {
  const results = join(root, RESULTS)
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, file), `${JSON.stringify(tests, null, 2)}\n`)
  for (const problem of problems) console.log(`\n${problem}`)
  const failed = tests.filter(({ state }) => state === 'failed')
  for (const { name, file: place } of failed) console.log(`failed: ${name} (${place})`)
  process.exitCode = failed.length > 0 ? 1 : 0
  console.log(summaryLine(tests))
}
