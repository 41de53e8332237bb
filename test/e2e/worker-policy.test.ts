import { expect, type Page } from '@playwright/test'
import { test } from './served-pages.ts'

/** Opens the page under a Content-Security-Policy and tells how a run with worker tools ends there. */
async function runUnder(page: Page, address: string, policy: string): Promise<string> {
  await page.route('**/policy.html', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } })
  })
  await page.goto(`${address}policy.html`)
  return page.evaluate(() => (globalThis as unknown as { runWithWorker(): Promise<string> }).runWithWorker())
}

test('a policy that allows the worker lets the run end', async ({ page, pagesAddress }) => {
  expect(await runUnder(page, pagesAddress, "default-src 'self'")).toBe('Done.')
})

test('a policy that forbids the worker is named, with the directive that allows it', async ({
  page,
  pagesAddress,
}) => {
  const text = await runUnder(page, pagesAddress, "default-src 'self'; worker-src 'none'")
  expect(text).toContain('The tool worker could not be started')
  expect(text).toContain('Content-Security-Policy')
  expect(text).toContain("worker-src 'self'")
})

test('a page that requires Trusted Types is told to allow the worker with a policy', async ({
  page,
  pagesAddress,
}) => {
  const text = await runUnder(page, pagesAddress, "default-src 'self'; require-trusted-types-for 'script'")
  expect(text).toContain('Trusted Types')
  expect(text).toContain('createScriptURL')
})
