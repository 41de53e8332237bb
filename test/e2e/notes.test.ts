import { expect, type Page } from '@playwright/test'
import type { NotesTab } from './pages/notes-page.ts'
import { test } from './served-pages.ts'

declare const tab: NotesTab

async function openTab(page: Page, address: string): Promise<Page> {
  await page.goto(`${address}notes.html`)
  // Playwright's own waiting for a function is refused by a strict site.
  await expect.poll(() => page.evaluate(() => 'tab' in globalThis)).toBe(true)
  return page
}

test('two tabs append to one note at once: each line is there, and each tab hears of the other', async ({
  page,
  context,
  pagesAddress,
}) => {
  const tabs = [await openTab(page, pagesAddress), await openTab(await context.newPage(), pagesAddress)]
  const times = 10
  await Promise.all(
    tabs.map((each, index) =>
      each.evaluate(([name, count]) => tab.appendMany('shared.md', name, count), [
        `tab${index}`,
        times,
      ] as const),
    ),
  )
  const expected = ['tab0', 'tab1'].flatMap((name) =>
    ['page', 'worker'].flatMap((place) =>
      Array.from({ length: times }, (_, time) => `${name} ${place} ${time}`),
    ),
  )
  for (const each of tabs) {
    const text = await each.evaluate(() => tab.textOf('shared.md'))
    expect(text.trimEnd().split('\n').sort()).toEqual(expected.sort())
    expect(await each.evaluate(() => tab.tiers())).toEqual(['writable', 'sync-access'])
    await expect.poll(() => each.evaluate(() => tab.heard())).toBe(4 * times)
  }
})

test('a tab waits for a note that another tab is writing, says so after its limit, and goes on when that tab is closed', async ({
  page,
  context,
  pagesAddress,
}) => {
  const first = await openTab(await context.newPage(), pagesAddress)
  const second = await openTab(page, pagesAddress)
  await first.evaluate(() => tab.worker.append('note.md', 'from the first tab'))
  await first.evaluate(() => {
    void tab.worker.writeForEver()
    void tab.worker.append('note.md', 'never ends')
  })
  await expect.poll(() => second.evaluate(() => tab.tryAppend('note.md'))).toBe('locked')
  expect(await second.evaluate(() => tab.tryAppend('other.md'))).toBe('appended')
  const waiting = second.evaluate(() => tab.store.append('note.md', 'from the second tab'))
  await first.close()
  await waiting
  const text = await second.evaluate(() => tab.textOf('note.md'))
  // What was written before its tab was closed may be there, but only whole.
  expect(text).toMatch(/^from the first tab\n(?:hasty\n)*(?:never ends\n)?from the second tab\n$/)
})

test('notes are packed and brought back under a strict policy', async ({ page, strictPagesAddress }) => {
  await openTab(page, strictPagesAddress)
  await page.evaluate(async () => {
    await tab.store.append('A.md', 'upper')
    await tab.store.append('a.md', 'lower')
    await tab.store.append('work/todo', 'ü')
  })
  expect(await page.evaluate(() => tab.roundTrip())).toEqual({
    lost: 0,
    added: ['A.md', 'a.md', 'work/todo'],
  })
  expect(await page.evaluate(() => tab.textOf('a.md'))).toBe('lower\n')
})
