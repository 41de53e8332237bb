import { join, relative } from 'node:path'

/**
 * One test as the results file holds it: `file` is relative to the root.
 * @typedef {{ name: string, file: string, state: 'passed' | 'failed' | 'skipped' }} TestRecord
 */

/**
 * The parts of Vitest's JSON report that are read.
 * @typedef {object} VitestReport
 * @property {{ name: string, status: string, assertionResults: VitestAssertion[] }[]} testResults
 */
/** @typedef {{ ancestorTitles: string[], title: string, status: string }} VitestAssertion */

/**
 * The parts of Playwright's JSON report that are read.
 * @typedef {object} PlaywrightReport
 * @property {{ rootDir: string }} config
 * @property {PlaywrightSuite[]} suites
 * @property {unknown[]} errors
 */
/** @typedef {{ title: string, file: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite */
/** @typedef {{ title: string, file: string, tests: { projectName: string, status: string }[] }} PlaywrightSpec */

/**
 * The name of a test that runs in several engines, each with a result of its own.
 * @param {string} engine
 * @param {string} name
 */
export function nameIn(engine, name) {
  return `${name} [${engine}]`
}

/**
 * The tests of a Vitest report. A file that failed without a failed test (it could not be loaded, or a hook
 * threw) counts as one more failed test.
 * @param {VitestReport} report
 * @param {string} root absolute path that `file` is relative to
 * @returns {TestRecord[]}
 */
export function readVitestReport(report, root) {
  return report.testResults.flatMap((result) => {
    const file = relative(root, result.name)
    const tests = result.assertionResults.map(({ ancestorTitles, title, status }) => ({
      // The group of a type test begins with its file.
      name: [...ancestorTitles, title].filter((part) => part !== '' && part !== file).join(' > '),
      file,
      state: vitestState(status),
    }))
    const explained = result.status !== 'failed' || tests.some(({ state }) => state === 'failed')
    return explained ? tests : [...tests, failedTest(`${file} loads and cleans up`, file)]
  })
}

/**
 * @param {string} status
 * @returns {TestRecord['state']}
 */
function vitestState(status) {
  if (status === 'passed') return 'passed'
  return ['pending', 'skipped', 'todo', 'disabled'].includes(status) ? 'skipped' : 'failed'
}

/**
 * The tests of a Playwright report, one for each browser that ran them. Flaky counts as failed.
 * @param {PlaywrightReport} report
 * @param {string} root absolute path that `file` is relative to
 * @returns {TestRecord[]}
 */
export function readPlaywrightReport(report, root) {
  /** @type {(suite: PlaywrightSuite, titles: string[]) => TestRecord[]} */
  const readSuite = (suite, titles) => {
    const own = (suite.specs ?? []).flatMap((spec) =>
      spec.tests.map((test) => ({
        name: nameIn(test.projectName, [...titles, spec.title].join(' > ')),
        file: relative(root, join(report.config.rootDir, spec.file)),
        state: playwrightState(test.status),
      })),
    )
    return [...own, ...(suite.suites ?? []).flatMap((inner) => readSuite(inner, [...titles, inner.title]))]
  }
  return report.suites.flatMap((suite) => readSuite(suite, []))
}

/**
 * @param {string} status
 * @returns {TestRecord['state']}
 */
function playwrightState(status) {
  if (status === 'expected') return 'passed'
  return status === 'skipped' ? 'skipped' : 'failed'
}

/**
 * The tests of a runner that has ended: one that crashed, reported nothing, or failed without saying which test
 * failed, counts as one failed test more.
 * @param {string} runner name of the part
 * @param {string} file its configuration, relative to the root
 * @param {number} exitCode
 * @param {TestRecord[] | undefined} reported undefined when there is no readable report
 * @returns {TestRecord[]}
 */
export function settleRunner(runner, file, exitCode, reported) {
  if (reported === undefined) return [failedTest(`${runner}: the runner writes a report`, file)]
  if (reported.length === 0) return [failedTest(`${runner}: the runner starts and finds tests`, file)]
  if (exitCode === 0 || reported.some(({ state }) => state === 'failed')) return reported
  return [...reported, failedTest(`${runner}: the runner ends without an error of its own`, file)]
}

/**
 * What the tests count as whose engine is missing: one failed test where everything must run, else none.
 * @param {string} part
 * @param {{ id: string, title: string }} engine
 * @param {boolean} mustRun
 * @returns {TestRecord[]}
 */
export function withoutEngine(part, { id, title }, mustRun) {
  return mustRun ? [failedTest(nameIn(id, `${part}: there is a ${title} to run in`), '.ci/engines.mjs')] : []
}

/**
 * @param {string} name
 * @param {string} file
 * @returns {TestRecord}
 */
export function failedTest(name, file) {
  return { name, file, state: 'failed' }
}

/**
 * The last line of a run. Skipped tests are in neither number.
 * @param {readonly TestRecord[]} tests
 */
export function summaryLine(tests) {
  /** @param {TestRecord['state']} wanted */
  const count = (wanted) => tests.filter(({ state }) => state === wanted).length
  return `${count('passed')} passed, ${count('failed')} failed`
}
