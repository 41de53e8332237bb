import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { askAgent, expectOneToolset, expectReady } from './notes-story.mjs'
import { writeWhole } from './write-whole.mjs'

const edits = 10
/** One write may be seen as two changes; after this long without news no more are coming. In milliseconds. */
const quietMs = 1_000
/** News of an edit may be lost while the page loads; then the next edit comes after this long. In milliseconds. */
const newsMs = 5_000
/** Guards against hanging on a busy machine, in milliseconds. */
const patienceMs = 90_000

/**
 * Edits a file of the app ten times under a running `vite dev`, and sees that the newest code answers and no
 * worker is left behind.
 * @param {string} file in the app's folder
 * @param {string} words in the file: the tool's answer, to which each edit adds something
 * @returns {import('./app-page.mjs').PageTest}
 */
export function editTenTimes(file, words) {
  return async ({ page, folder, open }) => {
    const path = join(folder, file)
    const before = await readFile(path, 'utf8')
    await open()
    await expectReady(page)
    const news = watchNews(page)
    const write = (/** @type {number} */ edit) =>
      writeWhole(path, before.replace(words, `${words} (edit ${edit})`))
    try {
      for (let edit = 1; edit <= edits; edit += 1) {
        const seen = news.next()
        await write(edit)
        await seen
      }
      // The page may load again in the middle of it: on a busy machine the last news is late.
      // And a watcher may miss a write that comes soon after another: then it is written once more.
      let attempts = 0
      await expect(async () => {
        if (attempts > 0) await write(edits)
        attempts += 1
        await news.quiet()
        await askAgent(page)
        await expect(page.getByRole('status', { name: 'Answer' })).toContainText(`(edit ${edits})`)
      }).toPass({ timeout: patienceMs })
      await expectOneToolset(page)
    } finally {
      await writeWhole(path, before)
    }
  }
}

/**
 * Follows what Vite says in the page after a hot update, and after it has loaded the page again.
 * @param {import('playwright').Page} page
 */
function watchNews(page) {
  const isNews = (/** @type {import('playwright').ConsoleMessage} */ message) =>
    /^\[vite\] (?:hot updated|connected)/.test(message.text())
  let last = performance.now()
  page.on('console', (message) => {
    if (isNews(message)) last = performance.now()
  })
  return {
    // Sets the pace only: what the edits come to is looked at after the last one.
    next: () => page.waitForEvent('console', { predicate: isNews, timeout: newsMs }).catch(() => undefined),
    quiet: async () => {
      while (performance.now() - last < quietMs) await page.waitForTimeout(quietMs / 10)
    },
  }
}
