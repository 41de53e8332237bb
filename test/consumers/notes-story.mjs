import { expect } from '@playwright/test'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('./app-page.mjs').PageTest} PageTest */

/** Guards against hanging on a busy machine, in milliseconds. */
const patience = { timeout: 30_000 }
/** Longer than the 300 ms in which a dialog cannot be approved yet. */
const afterGuardMs = 500

/** The workers of one open toolset in the apps: a lane (`size: 1`) and the spare. */
const workersOfOneToolset = 2

/**
 * Asks the agent, approves the call that needs it with a real click, and compares all that the app shows.
 * @type {PageTest}
 */
export async function tellStory({ page, open }) {
  const answer = 'Your note has 8 words. "Groceries" is published.'
  await open()
  await askAgent(page)
  await expect(page.getByRole('status', { name: 'Answer' })).toHaveText(answer, patience)
  await expect(page.getByRole('list', { name: 'Conversation' }).getByRole('listitem')).toHaveText([
    'user: How long is my note? Then publish it.',
    'assistant: count_words(…)',
    'tool: 8 words',
    'assistant: publish_note(…)',
    'tool: "Groceries" is published.',
    `assistant: ${answer}`,
  ])
  await expect(page.getByRole('list', { name: 'Calls' }).getByRole('listitem')).toHaveText([
    'count_words: success in a worker',
    'publish_note: success on the page',
  ])
  await expectOneToolset(page)
}

/**
 * Asks the agent and approves what it asks back.
 * @param {Page} page
 */
export async function askAgent(page) {
  await expectReady(page)
  await page.getByRole('button', { name: 'Ask the agent' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('publish_note', patience)
  await expect(dialog).toContainText('Groceries')
  await page.waitForTimeout(afterGuardMs)
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toBeHidden()
}

/**
 * Waits until the app says that its worker is open.
 * @param {Page} page
 */
export async function expectReady(page) {
  await expect(page.getByText('Tools: ready', { exact: true })).toBeVisible(patience)
}

/**
 * Waits until as many workers are alive as one toolset has: none is left behind, none is missing.
 * @param {Page} page
 */
export async function expectOneToolset(page) {
  await expect.poll(() => page.workers().length, patience).toBe(workersOfOneToolset)
}
