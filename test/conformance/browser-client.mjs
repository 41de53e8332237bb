import { chromium } from 'playwright'

/**
 * `node browser-client.mjs URL`: what the suite's runner starts for each scenario. Plays it on a page in the browser
 * that client-browser.mjs has started.
 */

const { CONFORMANCE_BROWSER = '', CONFORMANCE_PAGE = '' } = process.env
const { MCP_CONFORMANCE_SCENARIO: name = '', MCP_CONFORMANCE_CONTEXT: context = '{}' } = process.env
const url = process.argv.at(-1) ?? ''
const browser = await chromium.connect(CONFORMANCE_BROWSER)
try {
  const page = await (await browser.newContext()).newPage()
  page.on('console', (message) => console.error(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => console.error(error))
  await page.goto(CONFORMANCE_PAGE)
  await page.waitForFunction(() => 'playScenario' in globalThis)
  void clickButtons(page)
  await page.evaluate((scenario) => playScenario(scenario), { name, url, context: JSON.parse(context) })
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await browser.close()
}

/**
 * Clicks each button that comes, as a person would, until the page is closed.
 * @param {import('playwright').Page} page
 */
async function clickButtons(page) {
  const button = page.getByRole('button')
  while (!page.isClosed()) await button.click({ timeout: 0 }).catch(() => {})
}
