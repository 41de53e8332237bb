import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page } from '@playwright/test'
import { type OAuthServers, startOAuthServers } from '../support/mcp/oauth-server.ts'
import { test as withPages } from './served-pages.ts'

const test = withPages.extend<{ servers: OAuthServers }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  servers: async ({}, use) => {
    const servers = await startOAuthServers()
    await use(servers)
    await servers.close()
  },
})

async function open(page: Page, pages: string, servers: OAuthServers, mode: string): Promise<void> {
  await page.goto(`${pages}mcp-oauth.html?mode=${mode}&server=${encodeURIComponent(servers.url.href)}`)
  await expect(page.locator('#status')).toHaveText('needs-authorization')
}

async function expectAnswer(page: Page): Promise<void> {
  // A guard against hanging, for a busy machine.
  await expect(page.locator('#answer')).toContainText('whoami: mcp:tools', { timeout: 20_000 })
  await expect(page.locator('#status')).toHaveText('ready')
}

/** The same pages with more headers. A page that Playwright answers for is kept from loopback by Chromium. */
async function withHeaders(
  pages: string,
  more: Record<string, string>,
): Promise<{ address: string; close(): Promise<void> }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const { status, headers, body } = await fetch(new URL(url, pages)).then(async (answer) => ({
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? '' },
      body: Buffer.from(await answer.arrayBuffer()),
    }))
    response.writeHead(status, { ...headers, ...more }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const signIn = (page: Page) => page.locator('#sign-in').click()

test('a person signs in in a window that their click opens, and the tools of the server are there', async ({
  page,
  pagesAddress,
  servers,
}) => {
  const said: string[] = []
  const opened: Page[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('popup', (popup) => opened.push(popup))
  await open(page, pagesAddress, servers, 'popup')
  expect(opened).toEqual([])
  await signIn(page)
  await expectAnswer(page)
  expect(opened).toHaveLength(1)
  await expect.poll(() => opened[0]?.isClosed()).toBe(true)
  for (const secret of servers.secrets) expect(said.join() + page.url()).not.toContain(secret)
})

test('an expired token is renewed without another window', async ({ page, pagesAddress, servers }) => {
  await open(page, pagesAddress, servers, 'popup')
  await signIn(page)
  await expectAnswer(page)
  servers.expireAccess()
  await page.reload()
  await expectAnswer(page)
  expect(servers.tokenRequests('refresh_token').length).toBeGreaterThan(0)
})

const cut = { 'cross-origin-opener-policy': 'same-origin' }

async function approve(page: Page): Promise<void> {
  const opening = page.waitForEvent('popup')
  await signIn(page)
  const popup = await opening
  await popup.locator('#approve').click()
}

test('the answer comes through although the authorization server cuts the tie between the windows', async ({
  page,
  pagesAddress,
  servers,
}) => {
  servers.verdict = 'ask'
  servers.pageHeaders = cut
  await open(page, pagesAddress, servers, 'popup')
  await approve(page)
  await expectAnswer(page)
})

test('the answer comes through although the page itself cuts the tie between the windows', async ({
  page,
  pagesAddress,
  servers,
}) => {
  servers.verdict = 'ask'
  const isolated = await withHeaders(pagesAddress, cut)
  try {
    await open(page, isolated.address, servers, 'popup')
    await approve(page)
    await expectAnswer(page)
  } finally {
    await isolated.close()
  }
})

test('a window that the person closes is a cancelled attempt, and the next click works', async ({
  page,
  pagesAddress,
  servers,
}) => {
  servers.verdict = 'ask'
  await open(page, pagesAddress, servers, 'popup')
  const opening = page.waitForEvent('popup')
  await signIn(page)
  const popup = await opening
  await popup.locator('#approve').waitFor()
  // The site in the window can reach nothing of this page.
  expect(await popup.evaluate(() => window.opener)).toBe(null)
  await popup.close()
  await expect(page.locator('#error')).toContainText('cancelled:', { timeout: 20_000 })
  servers.verdict = 'approve'
  await signIn(page)
  await expectAnswer(page)
})

test('a window that the browser does not open is an error that says what to do', async ({
  page,
  pagesAddress,
  servers,
}) => {
  await page.addInitScript(() => {
    window.open = () => null
  })
  await open(page, pagesAddress, servers, 'popup')
  await signIn(page)
  await expect(page.locator('#error')).toContainText('popup-blocked:')
})

test('an answer with another state is refused in the window that got it', async ({
  page,
  pagesAddress,
  servers,
}) => {
  servers.verdict = 'wrong-state'
  await open(page, pagesAddress, servers, 'popup')
  const opening = page.waitForEvent('popup')
  await signIn(page)
  const popup = await opening
  await expect(popup.locator('output')).toContainText('no sign-in of this tab waits', { timeout: 20_000 })
  expect(new URL(popup.url()).search).toBe('')
  expect(servers.tokenRequests('authorization_code')).toEqual([])
})

test('in place of the page: the person comes back, the address is clean, and a reload needs nobody', async ({
  page,
  pagesAddress,
  servers,
}) => {
  await open(page, pagesAddress, servers, 'redirect')
  await signIn(page)
  await expectAnswer(page)
  expect(new URL(page.url()).search).toBe('')
  await page.reload()
  await expectAnswer(page)
  expect(servers.tokenRequests('authorization_code')).toHaveLength(1)
})

test('in place of the page: a refusal is told when the person is back, and the next click works', async ({
  page,
  pagesAddress,
  servers,
}) => {
  servers.verdict = 'deny'
  await open(page, pagesAddress, servers, 'redirect')
  await signIn(page)
  await expect(page.locator('#error')).toContainText('denied:')
  servers.verdict = 'approve'
  await signIn(page)
  await expectAnswer(page)
})

test('in place of the page: an answer that is opened again is refused', async ({
  page,
  pagesAddress,
  servers,
}) => {
  await open(page, pagesAddress, servers, 'redirect')
  const back = page.waitForRequest((request) => new URL(request.url()).searchParams.has('code'))
  await signIn(page)
  const answer = (await back).url()
  await expectAnswer(page)
  await page.goto(answer)
  await expect(page.locator('#error')).toContainText('state-mismatch:')
  expect(new URL(page.url()).search).toBe('')
})
