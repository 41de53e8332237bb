import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { expectReady } from './notes-story.mjs'
import { writeWhole } from './write-whole.mjs'

/** @typedef {import('./app-page.mjs').PageTest} PageTest */

/** Guards against hanging on a busy machine, in milliseconds. */
const patience = { timeout: 30_000 }

/**
 * The agent calls the tool of a component twice in one turn.
 * @type {PageTest}
 */
export async function jotTwice({ page, open }) {
  await open()
  // By then the components are alive.
  await expectReady(page)
  await expect(page.getByRole('status', { name: 'Jotter' })).toHaveText('idle, 0 messages')
  await ask(page)
  await expectJots(page, ['0: one', '1: two'])
}

/**
 * The same before and after an edit of the component: the newest code answers, and neither its state nor the
 * conversation is lost.
 * @param {string} file of the component, in the app's folder
 * @returns {PageTest}
 */
export function jotWithEdits(file) {
  return async (visit) => {
    const { page, folder } = visit
    const path = join(folder, file)
    const before = await readFile(path, 'utf8')
    await jotTwice(visit)
    try {
      // The button too: once it has its new name, the component is drawn from the newest code. Vite's own news comes
      // before that.
      const edited = before.replace('}: $', '}, edited: $').replace(/Jot twice(?!\.)/, 'Jot once more')
      await writeWhole(path, edited)
      await ask(page, 'Jot once more')
      await expectJots(page, ['0: one', '1: two', '2, edited: one', '3, edited: two'])
    } finally {
      await writeWhole(path, before)
    }
  }
}

/**
 * @param {import('playwright').Page} page
 * @param {string} [name] of the button
 */
async function ask(page, name = 'Jot twice') {
  await page.getByRole('button', { name, exact: true }).click(patience)
}

/**
 * @param {import('playwright').Page} page
 * @param {readonly string[]} jots
 */
async function expectJots(page, jots) {
  await expect(page.getByRole('status', { name: 'Jots' })).toHaveText(jots.join(', '), patience)
  // For each two jots: what was asked, the message with the calls, their results and the answer.
  await expect(page.getByRole('status', { name: 'Jotter' })).toHaveText(`idle, ${jots.length * 2} messages`)
}
