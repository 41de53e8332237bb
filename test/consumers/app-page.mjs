/** @typedef {import('playwright').Browser} Browser */
/** @typedef {import('playwright').Page} Page */

/**
 * A look at an app in a page of its own.
 * @typedef {object} Visit
 * @property {Page} page
 * @property {string} address
 * @property {string} folder of the app
 * @property {() => Promise<unknown>} open goes to the app; before that, a test may set the page up
 */

/** @typedef {(visit: Visit) => Promise<void>} PageTest */

/**
 * Opens an app in a fresh browser context and has it tested there. Rejects, with all that went wrong in the
 * page, when the test fails or the page reports a problem: an error, a warning, a request without an answer.
 * @param {Browser} browser
 * @param {Pick<Visit, 'address' | 'folder'>} place
 * @param {PageTest} run
 */
export async function visitApp(browser, place, run) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const problems = watchProblems(page)
    let failure = ''
    try {
      await run({ ...place, page, open: () => page.goto(place.address) })
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
    }
    if (failure === '' && problems.length === 0) return
    const told = problems.length === 0 ? ['nothing'] : problems
    throw new Error(
      `${failure}\nWhat the page reported:\n${told.join('\n')}\nWhat it shows:\n${await shown(page)}`,
    )
  } finally {
    await context.close()
  }
}

/** @param {Page} page */
function watchProblems(page) {
  /** @type {string[]} */
  const problems = []
  page.on('console', (message) => {
    const type = message.type()
    if (type === 'error' || type === 'warning') problems.push(`console ${type}: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('response', (response) => {
    // Vite found out late that a package is needed, prepares it, and loads the page again.
    if (response.status() === 504 && response.statusText() === 'Outdated Optimize Dep') return
    if (response.status() >= 400) problems.push(`${response.status()} for ${response.url()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left takes its open requests with it.
    if (reason !== 'net::ERR_ABORTED') problems.push(`${reason} for ${request.url()}`)
  })
  return problems
}

/** @param {Page} page */
async function shown(page) {
  return page
    .locator('body')
    .ariaSnapshot({ timeout: 2_000 })
    .catch(() => '(nothing that can be read)')
}
