import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserClient, nodeClient } from '../test/conformance/clients.mjs'
import { reasonsIn, runScenario } from '../test/conformance/run-scenario.mjs'
import { provideSuite, requiredScenarios } from '../test/conformance/suite.mjs'
import { installDependencies } from './dependencies.mjs'
import { RESULTS } from './parts.mjs'
import { root } from './processes.mjs'
import { failedTest, nameIn, summaryLine } from './reports.mjs'

/**
 * `npm run conformance [-- --browser] [SCENARIO …]`: the client scenarios that the protocol's own test suite requires,
 * played by the library in Node, or on pages in Chromium. The suite and a Node for it are installed on demand.
 */

/** @typedef {import('./reports.mjs').TestRecord} TestRecord */

/** Scenarios at the same time: many starve each other, and clients then run into timeouts. */
const atOnce = 2
const file = 'test/conformance/play.ts'

const named = process.argv.slice(2).filter((argument) => argument !== '--browser')
const place = process.argv.includes('--browser') ? 'chromium' : 'node'

const tests = await playAll()
mkdirSync(join(root, RESULTS), { recursive: true })
writeFileSync(join(root, RESULTS, `conformance-${place}.json`), `${JSON.stringify(tests, null, 2)}\n`)
process.exitCode = tests.every(({ state }) => state === 'passed') ? 0 : 1
console.log(summaryLine(tests))

/** @returns {Promise<TestRecord[]>} */
async function playAll() {
  try {
    await installDependencies()
    const suite = await provideSuite()
    const scenarios = requiredScenarios()
    const unknown = named.filter((name) => !scenarios.includes(name))
    if (unknown.length > 0)
      throw new Error(`No such scenario: ${unknown}. There are ${scenarios.join(', ')}.`)
    const client = await (place === 'node' ? nodeClient() : browserClient())
    try {
      const wanted = named.length > 0 ? named : scenarios
      return await inTurns(wanted, (scenario) => playScenario(suite, scenario, client))
    } finally {
      await client.close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return [failedTest(nameIn(place, 'conformance: suite and client can be started'), '.ci/conformance.mjs')]
  }
}

/**
 * @param {import('../test/conformance/suite.mjs').Suite} suite
 * @param {string} scenario
 * @param {import('../test/conformance/clients.mjs').Client} client
 * @returns {Promise<TestRecord>}
 */
async function playScenario(suite, scenario, client) {
  let tries = 1
  let played = await runScenario(suite, scenario, client)
  if (!played.passed) {
    // Its servers sometimes reset a connection.
    tries += 1
    played = await runScenario(suite, scenario, client)
  }
  const again = tries > 1 ? ' (second try)' : ''
  console.log(`${played.passed ? 'passed' : 'failed'}  ${scenario}${again}`)
  if (!played.passed) console.log(reasonsIn(played.output))
  const name = nameIn(place, `conformance: ${scenario}`)
  return { name, file, state: played.passed ? 'passed' : 'failed' }
}

/**
 * Runs `run` for each item, a few at once; resolves to all that they gave, in the order of the items.
 * @template Item, Result
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Result>} run
 */
async function inTurns(items, run) {
  /** @type {Result[]} */
  const results = []
  const left = items.entries()
  const takeTurns = async () => {
    for (const [index, item] of left) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: atOnce }, takeTurns))
  return results
}
