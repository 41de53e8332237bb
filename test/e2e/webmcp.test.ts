import { expect, type Page } from '@playwright/test'
import { confirmation, waitForGuard } from './dialog.ts'
import { test } from './served-pages.ts'

const shop = 'https://shop.example'

/** Opens the page with a frame of another site, which runs this script. */
async function openWith(page: Page, address: string, script: string): Promise<void> {
  await page.route(`${shop}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>Shop</title><script>${script}</script>`,
    }),
  )
  await page.goto(`${address}webmcp.html`)
  await page.evaluate(async (src) => {
    const frame = document.createElement('iframe')
    // Without it the browser keeps WebMCP from frames of other sites.
    Object.assign(frame, { allow: 'tools *', src })
    await new Promise((resolve) => {
      addEventListener('message', resolve, { once: true })
      document.body.append(frame)
    })
  }, `${shop}/`)
}

const tellParent =
  ".then(() => parent.postMessage('ready', '*'), (error) => parent.postMessage(String(error), '*'))"

test('P20 a tool of a frame of another site is called after the person said yes to that site', async ({
  page,
  pagesAddress,
}) => {
  const { origin } = new URL(pagesAddress)
  const buy = `document.modelContext.registerTool({
    name: 'buy',
    description: 'Buys something.',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
    annotations: { readOnlyHint: true },
    execute: async ({ what }) => 'bought ' + what + ' at ' + location.origin,
  }, { exposedTo: ['${origin}'] })`
  await openWith(page, pagesAddress, buy + tellParent)
  const answer = page.evaluate((site) => {
    const { callFrame } = globalThis as unknown as { callFrame(site: string): Promise<object> }
    return callFrame(site)
  }, shop)
  const { dialog, approve } = confirmation(page)
  await expect(dialog).toContainText('shop.example')
  await expect(dialog).toContainText('buy')
  await expect(dialog).toContainText('leek')
  await waitForGuard(page)
  await approve.click()
  expect(await answer).toEqual({
    name: 'shop_example_buy',
    outcome: 'success',
    text: expect.stringMatching(/^<<outside .*>>\nbought leek at https:\/\/shop\.example\n<<end .*>>$/),
  })
})

test('a frame of another site calls what the page exposes to it, and the page asks', async ({
  page,
  pagesAddress,
}) => {
  const { origin } = new URL(pagesAddress)
  const call = `Promise.resolve()${tellParent}
  async function callPay() {
    const tools = await document.modelContext.getTools({ fromOrigins: ['${origin}'] })
    const pay = tools.find(({ name }) => name === 'pay')
    return pay === undefined ? 'not there' : document.modelContext.executeTool(pay, {})
  }`
  await openWith(page, pagesAddress, call)
  const frame = page.frame({ url: `${shop}/` })
  const callPay = () =>
    frame?.evaluate(() => (globalThis as unknown as { callPay(): Promise<string> }).callPay())
  expect(await callPay()).toBe('not there')
  const supported = await page.evaluate((site) => {
    const { exposeTo } = globalThis as unknown as { exposeTo(site: string): Promise<boolean> }
    return exposeTo(site)
  }, shop)
  expect(supported).toBe(true)
  const answer = callPay()
  const { dialog, approve } = confirmation(page)
  await expect(dialog).toContainText('pay')
  await waitForGuard(page)
  await approve.click()
  expect(await answer).toBe('paid')
})
