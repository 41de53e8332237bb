/** @typedef {import('../../.ci/reports.mjs').TestRecord} TestRecord */

/** Runs the tests of one app, prints how each ended, and keeps the records. */
export class Recorder {
  /** @type {TestRecord[]} */
  records = []
  #app
  #file

  /**
   * @param {string} app its name, the first word of each test's
   * @param {string} file relative to the root
   */
  constructor(app, file) {
    this.#app = app
    this.#file = file
  }

  /**
   * Never rejects: resolves to whether the test passed.
   * @param {string} title
   * @param {() => Promise<unknown>} run
   */
  async test(title, run) {
    const name = `${this.#app}, ${title}`
    const started = performance.now()
    /** @type {TestRecord['state']} */
    let state = 'passed'
    let why = ''
    try {
      await run()
    } catch (error) {
      state = 'failed'
      why = `\n${indent(error instanceof Error ? error.message : String(error))}`
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    console.log(`${state}: ${name} (${seconds} s)${why}`)
    this.records.push({ name, file: this.#file, state })
    return state === 'passed'
  }
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, '    ')
}
