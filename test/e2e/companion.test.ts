import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import type { CompanionOptions } from '../../src/companion/companion-options.ts'
import { type Companion, startCompanion } from '../../src/companion/start-companion.ts'
import { chromiumLaunch } from '../run/chromium.ts'
import type { CompanionPage } from './pages/companion-page.ts'
import { test as base, insecureHost } from './served-pages.ts'
import { readViolations, recordViolations } from './violations.ts'

const serverFile = (name: string) =>
  createRequire(import.meta.url).resolve(`@modelcontextprotocol/server-${name}/dist/index.js`)
const root = import.meta.dirname

const test = base.extend<{
  companionFor(options: CompanionOptions): Promise<Companion>
  launched(...flags: string[]): Promise<Browser>
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  companionFor: async ({}, use) => {
    const all: Companion[] = []
    const folder = mkdtempSync(join(tmpdir(), 'companion-'))
    const command = process.execPath
    const mcp = {
      files: { command, args: [serverFile('filesystem'), root] },
      memory: {
        command,
        args: [serverFile('memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
    }
    await use(async (options) => {
      const companion = await startCompanion({ allow: ['ls'], roots: [root], mcp, ...options })
      all.push(companion)
      return companion
    })
    for (const companion of all) await companion.close()
    rmSync(folder, { recursive: true })
  },
  launched: async ({ playwright }, use) => {
    const all: Browser[] = []
    await use(async (...flags) => {
      const args = [...(chromiumLaunch.args ?? []), ...flags]
      const browser = await playwright.chromium.launch({ ...chromiumLaunch, args })
      all.push(browser)
      return browser
    })
    for (const browser of all) await browser.close()
  },
})

type Connected = Awaited<ReturnType<CompanionPage['connect']>>

const connect = (page: Page, link: string): Promise<Connected> =>
  page.evaluate((one) => (globalThis as unknown as { companion: CompanionPage }).companion.connect(one), link)

test('a page with a strict policy runs a command, reads a file and remembers through the companion', async ({
  page,
  connectedPagesAddress,
  companionFor,
}) => {
  const companion = await companionFor({ origins: [new URL(connectedPagesAddress).origin] })
  const link = companion.pairingLink()
  await recordViolations(page)
  await page.goto(`${connectedPagesAddress}companion.html`)
  expect(await connect(page, link)).toBe('connected')
  const entity = { name: 'Ada', entityType: 'person', observations: ['wrote programs'] }
  const calls = [
    { server: 'files', tool: 'read_text_file', input: { path: `${root}/pages/companion.html` } },
    { server: 'memory', tool: 'create_entities', input: { entities: [entity] } },
    { server: 'memory', tool: 'search_nodes', input: { query: 'programs' } },
  ]
  const report = await page.evaluate(
    (all) =>
      (globalThis as unknown as { companion: CompanionPage }).companion.use('ls companion.test.ts', all),
    calls,
  )
  expect(report).toMatchObject({
    command: ['success', 'companion.test.ts'],
    tools: [
      ['success', expect.stringContaining('A page with a companion')],
      ['success', expect.stringContaining('Ada')],
      ['success', expect.stringContaining('wrote programs')],
    ],
  })
  expect(report.reasons[0]).toContain('companion.test.ts"]')
  expect(report.reasons[0]).toContain(`Folder: ${root}`)
  // The tab keeps its token: a page that is loaded anew needs no new link.
  await page.reload()
  expect(await connect(page, link)).toBe('connected')
  expect(await readViolations(page)).toEqual([])
})

test('a page searches a wiki of another origin, without a key and without a companion', async ({
  page,
  connectedPagesAddress,
}) => {
  // As a wiki answers: other sites may read it only where they ask for that, and then no cookie is taken.
  const wiki = createServer(({ url = '', headers }, response) => {
    const { searchParams } = new URL(url, 'http://127.0.0.1')
    const mayRead = searchParams.get('origin') === '*' && headers.cookie === undefined
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(mayRead && { 'access-control-allow-origin': '*' }),
    })
    const title = `About ${searchParams.get('srsearch')}`
    response.end(JSON.stringify({ query: { search: [{ ns: 0, title, pageid: 42, snippet: 'Wings' }] } }))
  })
  await new Promise<void>((resolve) => wiki.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(wiki.address() as AddressInfo).port}`
    await page.goto(`${connectedPagesAddress}companion.html`)
    const [outcome, text] = await page.evaluate(
      (apiUrl) =>
        (globalThis as unknown as { companion: CompanionPage }).companion.searchWiki(apiUrl, 'stage craft'),
      `${origin}/w/api.php`,
    )
    expect(outcome).toBe('success')
    expect(text).toContain('About stage craft')
    expect(text).toContain(`${origin}/?curid=42`)
  } finally {
    wiki.close()
  }
})

test('I13 a page that the companion was not told of gets nothing, and is told what to pass', async ({
  page,
  pagesAddress,
  connectedPagesAddress,
  companionFor,
}) => {
  // The same host on another port.
  const companion = await companionFor({ origins: [new URL(connectedPagesAddress).origin] })
  await page.goto(`${pagesAddress}companion.html`)
  const { origin } = new URL(pagesAddress)
  expect(await connect(page, companion.pairingLink())).toEqual([
    'origin',
    expect.stringContaining(`start it again with --origin ${origin}`),
  ])
  const socket = await page.evaluate(
    (url) =>
      new Promise((resolve) => {
        const opened = new WebSocket(url)
        opened.onopen = () => resolve('open')
        opened.onerror = () => resolve('refused')
      }),
    `${companion.url.replace('http', 'ws')}/mcp/companion`,
  )
  expect(socket).toBe('refused')
})

test('I13 a name that was rebound to 127.0.0.1 reaches nothing', async ({ launched, companionFor }) => {
  const companion = await companionFor({ origins: [`http://${insecureHost}`] })
  const browser = await launched(`--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`)
  const page = await browser.newPage()
  const answer = await page.goto(`http://${insecureHost}:${companion.port}/health`)
  expect(answer?.status()).toBe(403)
  expect(await answer?.text()).toContain('"code":"host"')
})

test('an https page needs the person’s permission, and says so without it', async ({
  launched,
  pagesAddress,
  companionFor,
}) => {
  const origin = 'https://app.example'
  const companion = await companionFor({ origins: [origin] })
  const browser = await launched()
  const open = async (options: BrowserContextOptions) => {
    const context = await browser.newContext(options)
    await context.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: new URL(pathname, pagesAddress).href }) })
    })
    const page = await context.newPage()
    await page.goto(`${origin}/companion.html`)
    return page
  }
  expect(await connect(await open({}), companion.pairingLink())).toEqual([
    'local-network',
    expect.stringContaining('allow access to apps on this device'),
  ])
  const allowed = await open({ permissions: ['local-network-access'] })
  expect(await connect(allowed, companion.pairingLink())).toBe('connected')
})

test('a page of another network needs the person’s permission, and says so without it', async ({
  launched,
  pagesAddress,
  companionFor,
}) => {
  const { port } = new URL(pagesAddress)
  const origin = `http://${insecureHost}:${port}`
  const companion = await companionFor({ origins: [origin] })
  const browser = await launched(
    `--host-resolver-rules=MAP ${insecureHost} 127.0.0.1`,
    `--ip-address-space-overrides=127.0.0.1:${port}=public`,
    // Only a secure page may ask for it; this one stands for one on https.
    `--unsafely-treat-insecure-origin-as-secure=${origin}`,
  )
  const refused = await browser.newPage()
  await refused.goto(`${origin}/companion.html`)
  expect(await connect(refused, companion.pairingLink())).toEqual([
    'local-network',
    expect.stringContaining('allow access to apps on this device'),
  ])
  const context = await browser.newContext({ permissions: ['local-network-access'] })
  const allowed = await context.newPage()
  await allowed.goto(`${origin}/companion.html`)
  expect(await connect(allowed, companion.pairingLink())).toBe('connected')
})
