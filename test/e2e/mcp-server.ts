import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test as base, type Locator, type Page } from '@playwright/test'
import { type Allowed, watchPage } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

/** Where the demo's own MCP server listens, while a test runs. */
export interface DemoServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts what `npm run demo:mcp` starts, on a port that is free. */
export async function startDemoServer(): Promise<DemoServer> {
  const script = fileURLToPath(new URL('../../demo/mcp/main.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      said += piece
      const found = /http:\S+/.exec(said)
      if (found !== null) resolve(found[0])
    })
    void exited.then(() => reject(new Error(`The demo server has ended at once: ${said}`)))
  })
  return {
    url,
    close: async () => {
      child.kill()
      await exited
    },
  }
}

/** Tests of the story with a server of their own. */
export const test = base.extend<{ server: DemoServer; trouble: Allowed['trouble']; page: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  server: async ({}, use) => {
    const server = await startDemoServer()
    await use(server)
    await server.close()
  },
  /** Trouble that the test itself makes. */
  trouble: [undefined, { option: true }],
  page: async ({ page, baseURL, server, trouble }, use) => {
    const allowed = { origin: new URL(server.url).origin, ...(trouble && { trouble }) }
    const expectNoTrouble = await watchPage(page, baseURL, allowed)
    await use(page)
    await expectNoTrouble()
  },
})

/** The parts of the story. */
export function mcpStory(page: Page) {
  const region = (name: string) => page.getByRole('region', { name, exact: true })
  const form = region('Add a server')
  return {
    form,
    address: form.getByLabel('Address'),
    namespace: form.getByLabel('Namespace'),
    asks: form.getByLabel('Ask me before each call'),
    status: form.getByRole('status'),
    trouble: form.getByRole('alert'),
    servers: region('Servers'),
    call: region('The call'),
    run: region('The call').getByRole('button', { name: 'Run' }),
    callStatus: region('The call').getByRole('status'),
    result: region('The result'),
    events: region('Events'),
  }
}

/** The row of a tool, by the name that the server gave it. */
export function toolRow(page: Page, name: string): Locator {
  return mcpStory(page).servers.locator(`[data-tool="${name}"]`)
}

/** Adds a server, and waits for nothing. */
export async function addServer(page: Page, url: string, namespace = 'demo'): Promise<void> {
  const story = mcpStory(page)
  await story.address.fill(url)
  await story.namespace.fill(namespace)
  await story.form.getByRole('button', { name: 'Add' }).click()
}

/** Chooses a tool, and runs it with the input that stands there. */
export async function callTool(page: Page, name: string): Promise<void> {
  await toolRow(page, name).getByRole('button', { name: 'Call' }).click()
  await mcpStory(page).run.click()
}

/** Says yes to what is asked. */
export async function approve(page: Page): Promise<void> {
  await waitForGuard(page)
  await confirmation(page).approve.click()
}
