import { test as base, expect, type Locator, type Page } from '@playwright/test'
import { readViolations, recordViolations } from './violations.ts'

/** `page`, watched: at the end of each test nothing went wrong on it. */
export const test = base.extend<{ page: Page }>({
  page: async ({ page, baseURL }, use) => {
    const expectNoTrouble = await watchPage(page, baseURL)
    await use(page)
    await expectNoTrouble()
  },
})

/** What a watched page may do all the same. */
export interface Allowed {
  /** Another origin that it may ask. */
  readonly origin?: string
  /** Trouble that the test itself makes. */
  readonly trouble?: RegExp
}

/**
 * Watches a page from now on. The function that it gives expects that nothing was logged as an error, the
 * Content-Security-Policy was never broken, and no request left the origin.
 */
export async function watchPage(
  page: Page,
  baseURL: string | undefined,
  allowed: Allowed = {},
): Promise<() => Promise<void>> {
  const troubles: string[] = []
  const origins = [new URL(baseURL ?? '').origin, allowed.origin]
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
  })
  page.on('pageerror', (error) => troubles.push(String(error)))
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) troubles.push(`request to ${request.url()}`)
  })
  await recordViolations(page)
  return async () => {
    if (!page.isClosed()) troubles.push(...(await readViolations(page)))
    const unexpected = troubles.filter((trouble) => allowed.trouble?.test(trouble) !== true)
    expect(unexpected, 'errors, violations and foreign requests of the page').toEqual([])
  }
}

/** Opens a story by its address. */
export async function openStory(page: Page, id: string): Promise<void> {
  await page.goto(`./#${id}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
}

/** The line of a panel that says what goes on. */
export function statusOf(page: Page, panel: string): Locator {
  return page.getByRole('region', { name: panel, exact: true }).getByRole('status')
}

/** The whole text of an element. */
export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent()) ?? ''
}

/** The ids of all stories, in the order of the navigation. */
export const storyIds = [
  'tool',
  'pool',
  'runaway',
  'confirm',
  'agent',
  'pause',
  'chat',
  'mcp',
  'notes',
  'retrieval',
  'untrusted',
  'console',
] as const
