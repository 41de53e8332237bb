import { CHROMIUM, FIREFOX, WEBKIT } from './engines.mjs'
import { runConsumers, runInBrowser, runPlaywright, runVitest } from './parts.mjs'
import { withoutEngine } from './reports.mjs'

/** @typedef {import('./engines.mjs').Engine} Engine */
/** @typedef {import('./provide-engines.mjs').Provided} Provided */
/** @typedef {import('./reports.mjs').TestRecord} TestRecord */
/** @typedef {import('./run-parts.mjs').Part} Part */

/** Engines that Playwright drives, with real clicks and keys on whole pages. */
const DRIVEN_BY_PLAYWRIGHT = [CHROMIUM, FIREFOX]

/** The apps of test/consumers that are tried each time; `npm run test:consumers` tries all. */
const everyRun = ['react', 'svelte', 'webpack']

/**
 * The parts that run in browsers: one for each engine, and what needs whole pages.
 * @param {readonly Provided[]} engines
 * @param {readonly Part[]} [beside] runs at the same time as the tests in Chromium
 * @returns {(Part | readonly Part[])[]}
 */
export function browserParts(engines, beside = []) {
  const paths = Object.fromEntries(engines.map(({ engine, path }) => [engine.variable, path ?? '']))
  const options = { environment: paths }
  /** @type {(provided: Provided) => Part} */
  const inOneEngine = ({ engine, path }) => [
    `browser in ${engine.title}`,
    async () => {
      if (path === undefined) return missing('browser', engine)
      const tests = await runInBrowser(engine.id, options)
      // Its driver's windows are private: what needs a profile that stays has a browser of its own.
      return engine === WEBKIT ? [...tests, ...(await runVitest('webkit-profile', options))] : tests
    },
  ]
  /** @type {Part[1]} */
  const onWholePages = async () => {
    const wanted = engines.filter(({ engine }) => DRIVEN_BY_PLAYWRIGHT.includes(engine))
    const there = wanted.filter(({ path }) => path !== undefined).map(({ engine }) => engine.id)
    const failures = wanted.flatMap(({ engine, path }) => (path === undefined ? missing('e2e', engine) : []))
    return there.length === 0 ? failures : [...failures, ...(await runPlaywright(there, options))]
  }
  const chromium = engines.filter(({ engine, path }) => engine === CHROMIUM && path !== undefined)
  /** @type {(part: string, run: () => Promise<TestRecord[]>) => Part} */
  const inChromium = (part, run) => [
    part,
    async () => (chromium.length === 0 ? missing(part, CHROMIUM) : run()),
  ]
  const inChromiumItself = engines.filter(({ engine }) => engine === CHROMIUM)
  const inTheOthers = engines.filter(({ engine }) => engine !== CHROMIUM)
  return [
    // The one computes and the other waits, for the most part.
    [...beside, ...inChromiumItself.map(inOneEngine)],
    // Each engine runs one file after the other, and most of a file is waiting; so is a good part of the apps.
    [...inTheOthers.map(inOneEngine), inChromium('consumers', () => runConsumers(everyRun, options))],
    ['e2e', onWholePages],
    inChromium('bench', () => runVitest('bench', options)),
  ]
}

/**
 * What to tell about engines that are missing.
 * @param {readonly Provided[]} engines
 * @returns {string[]}
 */
export function missingEngines(engines) {
  return engines.flatMap((provided) => {
    if (provided.path !== undefined) return []
    const { engine, problem } = provided
    return [mustRun(engine) ? problem : `skipped: every test in ${engine.title}. ${problem}`]
  })
}

/**
 * @param {string} part
 * @param {Engine} engine
 */
function missing(part, engine) {
  return withoutEngine(part, engine, mustRun(engine))
}

// Without Chromium next to nothing of what runs in a browser is tested.
/** @param {Engine} engine */
function mustRun(engine) {
  return engine === CHROMIUM || Boolean(process.env.CI)
}
