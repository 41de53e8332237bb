import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { build, preview } from 'vite'
import { sourceAliases } from '../../vite.config.ts'
import { installedPackages } from '../support/interop/real-packages.ts'

/** Pages that are made with the real packages of other libraries. */
const test = base.extend<object, { address: string }>({
  address: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      // Beside the packages, where what they import is found.
      const root = join(await installedPackages(), 'pages')
      cpSync(join(import.meta.dirname, 'chat-ui'), root, { recursive: true })
      const own = join(import.meta.dirname, '../../node_modules')
      const alias = [...sourceAliases, { find: 'valibot', replacement: join(own, 'valibot') }]
      const shared = { configFile: false, root, base: './', logLevel: 'error' } as const
      const input = ['use-chat', 'assistant-ui'].map((name) => join(root, `${name}.html`))
      await build({
        ...shared,
        resolve: { alias },
        build: { target: 'es2023', emptyOutDir: true, rolldownOptions: { input } },
      })
      const server = await preview({ ...shared, preview: { host: '127.0.0.1', port: 0 } })
      await use(server.resolvedUrls?.local[0] ?? '')
      await server.close()
      rmSync(root, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

/** What the tool ran with. */
function ran(page: Page): Promise<readonly string[] | undefined> {
  return page.evaluate(() => (globalThis as unknown as { ran?: string[] }).ran)
}

async function story(page: Page, send: () => Promise<void>): Promise<void> {
  await send()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
  expect(await ran(page)).toBeUndefined()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('delete_file:').first()).toContainText('deleted a.txt')
  await expect(page.getByText('It is gone.')).toBeVisible()
  expect(await ran(page)).toEqual(['a.txt'])
  await send()
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(page.getByText('It stays.')).toBeVisible()
  expect(await ran(page)).toEqual(['a.txt'])
}

test('P1 useChat drives our agent: its buttons answer the approvals', async ({ page, address }) => {
  await page.goto(`${address}use-chat.html`)
  await story(page, () => page.getByRole('button', { name: 'Send' }).click())
  await expect(page.getByRole('region', { name: 'assistant' })).toHaveCount(2)
})

test('P1 assistant-ui drives our agent: its buttons answer the approvals', async ({ page, address }) => {
  await page.goto(`${address}assistant-ui.html`)
  await story(page, async () => {
    await page.getByRole('textbox', { name: 'Message' }).fill('Delete it')
    await page.getByRole('button', { name: 'Send' }).click()
  })
})
