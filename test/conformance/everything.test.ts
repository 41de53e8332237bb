import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumLaunch } from '../run/chromium.ts'
import { type Everything, startEverything } from '../support/mcp/everything.ts'
import { servePages } from './build-client.mjs'
import { callEverything, type EverythingReport } from './call-everything.ts'

declare const everything: Record<'onPage' | 'inWorker', (url: string) => Promise<EverythingReport>>

let server: Everything
let pages: Awaited<ReturnType<typeof servePages>>
let browser: Browser

beforeAll(async () => {
  server = await startEverything()
  pages = await servePages()
  browser = await chromium.launch(chromiumLaunch)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await pages?.stop()
  await server?.close()
})

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${pages.address}everything.html`)
  await page.waitForFunction(() => 'everything' in globalThis)
  return page
}

/** Where the tools are called from. */
const places: Readonly<Record<string, (url: string) => Promise<EverythingReport>>> = {
  'in Node': (url) => callEverything(url, true),
  'on a page': async (url) => (await openPage()).evaluate((at) => everything.onPage(at), url),
  'in a worker': async (url) => (await openPage()).evaluate((at) => everything.inWorker(at), url),
}

/** What each tool answers, in part. */
const answers = {
  echo: { outcome: 'success', text: 'Echo: hello' },
  'get-sum': { outcome: 'success', text: 'The sum of 2 and 3 is 5.' },
  'trigger-long-running-operation': {
    outcome: 'success',
    progress: [1, 2, 3, 4].map((progress) => ({ progress, total: 4 })),
  },
  'get-structured-content': {
    outcome: 'success',
    data: { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 },
  },
  'get-tiny-image': { outcome: 'success', parts: ['image image/png'] },
  'get-resource-links': { outcome: 'success', parts: ['file text/plain', 'file text/plain'] },
  'get-resource-reference': { outcome: 'success', parts: ['file text/plain'] },
  'get-annotated-message': {
    outcome: 'success',
    text: expect.stringContaining('Error: Operation failed'),
    parts: ['image image/png'],
  },
  'gzip-file-as-resource': { outcome: 'success', parts: ['file application/gzip'] },
  // It has nothing to give away.
  'get-env': { outcome: 'success', text: expect.stringMatching(/^\{\s*"PORT": "\d+"\s*\}$/) },
  'toggle-simulated-logging': { outcome: 'success', text: expect.stringContaining('Started') },
  'toggle-subscriber-updates': { outcome: 'success', text: expect.stringContaining('Started') },
}
const answersOfPerson = {
  'trigger-elicitation-request': {
    outcome: 'success',
    text: expect.stringMatching(/- Name: Ada\n- Favorite Integer: 7\n/),
  },
  'trigger-url-elicitation': { outcome: 'success', text: expect.stringContaining('https://example.com/pay') },
}

describe.each(Object.keys(places))('server-everything %s', (place) => {
  const canAsk = place !== 'in a worker'
  const wanted = canAsk ? { ...answers, ...answersOfPerson } : answers
  let report: EverythingReport

  beforeAll(async () => {
    report = (await places[place]?.(server.url)) as EverythingReport
  }, 120_000)

  it('offers all of its tools that need nothing this client refuses', () => {
    expect([...report.tools].sort()).toEqual([...Object.keys(wanted), 'simulate-research-query'].sort())
  })

  it.each(Object.entries(wanted))('runs %s', (name, answer) => {
    expect(report.calls[name]).toMatchObject(answer)
  })

  it('says of a tool that runs only as a task that it cannot be called', () => {
    expect(report.calls['simulate-research-query']).toMatchObject({
      outcome: 'error',
      text: expect.stringContaining('task'),
    })
  })

  it('asks a person what the server wants to know', () => {
    const asked = canAsk ? ['Please provide inputs for the following fields:', 'https://example.com/pay'] : []
    expect(report.asked).toEqual(asked)
  })

  it('does nothing that a strict Content Security Policy forbids', () => {
    expect(report.violations).toEqual([])
  })
})
