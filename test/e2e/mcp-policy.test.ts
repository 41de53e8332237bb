import { expect, type Page } from '@playwright/test'
import { type LabServer, type LabServerOptions, startLabServer } from '../support/mcp/lab-server.ts'
import type { McpPage, PageCall, PageReport } from './pages/mcp-page.ts'
import { test as base } from './served-pages.ts'
import { readViolations, recordViolations } from './violations.ts'

const test = base.extend<{ lab(options?: LabServerOptions): Promise<LabServer> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  lab: async ({}, use) => {
    const servers: LabServer[] = []
    await use(async (options) => {
      const server = await startLabServer(options)
      servers.push(server)
      return server
    })
    for (const server of servers) await server.close()
  },
})

type Where = 'callOnPage' | 'callInWorker'

function callOn(page: Page, where: Where, url: string, calls: readonly PageCall[]): Promise<PageReport> {
  return page.evaluate(
    ([method, address, list]) => (globalThis as unknown as { mcp: McpPage }).mcp[method](address, list),
    [where, url, calls] as const,
  )
}

const outputSchema = { type: 'object', properties: { t: { type: 'number' } }, required: ['t'] }

const measured = {
  definition: { name: 'measure', inputSchema: { type: 'object' }, outputSchema },
  call: () => ({ content: [{ type: 'text', text: '{"t":21}' }], structuredContent: { t: 21 } }),
}

test('E15 P39 a tool with an output schema works on a page that forbids code from texts, and nothing is refused', async ({
  page,
  connectedPagesAddress,
  lab,
}) => {
  const server = await lab({ tools: [measured] })
  await recordViolations(page)
  await page.goto(`${connectedPagesAddress}mcp.html`)
  const report = await callOn(page, 'callOnPage', server.url, [{ name: 'lab_measure', input: {} }])
  expect(report).toMatchObject({
    names: ['lab_measure'],
    results: [['success', '{"t":21}']],
    status: { state: 'ready' },
  })
  expect(await readViolations(page)).toEqual([])
})

test('E15 P39 the same works inside of a tool worker under that policy', async ({
  page,
  connectedPagesAddress,
  lab,
}) => {
  const server = await lab({ tools: [measured] })
  await recordViolations(page)
  await page.goto(`${connectedPagesAddress}mcp.html`)
  const report = await callOn(page, 'callInWorker', server.url, [
    { name: 'lab_measure', input: {} },
    { name: 'violations', input: {} },
  ])
  expect(report).toEqual({
    names: ['violations', 'lab_measure'],
    results: [
      ['success', '{"t":21}'],
      ['success', '[]'],
    ],
  })
  expect(await readViolations(page)).toEqual([])
})

test('a text that is made into code is refused by that policy: nothing above passed because it was not there', async ({
  page,
  connectedPagesAddress,
}) => {
  await recordViolations(page)
  await page.goto(`${connectedPagesAddress}mcp.html`)
  const refused = await page.evaluate(() => (globalThis as unknown as { mcp: McpPage }).mcp.makeCode())
  expect(refused).toBe('EvalError')
  expect(await readViolations(page)).toHaveLength(1)
})

test('E01 P38 a session id that the page cannot read is named with the header that shows it', async ({
  page,
  pagesAddress,
  lab,
}) => {
  const server = await lab({ lostStatus: 400, cors: { exposeHeaders: 'www-authenticate' } })
  await page.goto(`${pagesAddress}mcp.html`)
  const { names, status } = await callOn(page, 'callOnPage', server.url, [])
  expect(names).toEqual([])
  expect(status).toMatchObject({ state: 'failed' })
  expect(JSON.stringify(status)).toMatch(/Access-Control-Expose-Headers/i)
  expect(JSON.stringify(status)).toMatch(/Mcp-Session-Id/i)
  expect(JSON.stringify(status)).toContain(server.url)
  server.options = { ...server.options, cors: {} }
  const again = await callOn(page, 'callOnPage', server.url, [{ name: 'lab_echo', input: { text: 'hi' } }])
  expect(again.results).toEqual([['success', 'hi']])
})

test('P38 a header that the server does not allow is named', async ({ page, pagesAddress, lab }) => {
  const server = await lab({ cors: { allowHeaders: 'content-type, authorization, mcp-session-id' } })
  await page.goto(`${pagesAddress}mcp.html`)
  const { status } = await callOn(page, 'callOnPage', server.url, [])
  expect(status).toMatchObject({ state: 'failed' })
  expect(JSON.stringify(status)).toMatch(/mcp-protocol-version/i)
})

test('E03 a stream that is refused costs the calls of a page nothing', async ({
  page,
  pagesAddress,
  lab,
}) => {
  const server = await lab({ getStatus: 404 })
  await page.goto(`${pagesAddress}mcp.html`)
  const { results } = await callOn(page, 'callOnPage', server.url, [
    { name: 'lab_echo', input: { text: 'a' } },
    { name: 'lab_echo', input: { text: 'b' } },
  ])
  expect(results).toEqual([
    ['success', 'a'],
    ['success', 'b'],
  ])
})
