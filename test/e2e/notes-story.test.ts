import { expect, type Page } from '@playwright/test'
import { openStory, statusOf, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

const path = 'builds/monday.md'
const line = 'The build took 4 minutes and passed.'

function notesStory(page: Page) {
  const notes = page.getByRole('region', { name: 'Its notes' })
  return {
    agent: page.getByRole('region', { name: 'The agent' }),
    keep: page.getByRole('button', { name: 'Keep a note' }),
    recall: page.getByRole('button', { name: 'Ask what was noted' }),
    note: notes.getByRole('button', { name: path }),
    text: notes.getByRole('group', { name: 'The note' }),
    notes,
  }
}

async function approve(page: Page): Promise<void> {
  await waitForGuard(page)
  await confirmation(page).approve.click()
}

test('a note is kept after a yes alone, and outlives the page', async ({ page }) => {
  await openStory(page, 'notes')
  const { notes, note, text, keep, recall, agent } = notesStory(page)
  await expect(notes).toContainText('There are no notes yet')
  await keep.click()
  // Searching asked nobody; adding does, and nothing is there before the answer.
  await expect(confirmation(page).dialog).toContainText(line)
  await expect(notes).toContainText('There are no notes yet')
  await confirmation(page).deny.click()
  await expect(agent).toContainText('I have noted nothing.')
  await expect(notes).toContainText('There are no notes yet')
  await keep.click()
  await approve(page)
  await expect(note).toBeVisible()
  await expect(text).toHaveText(line)
  await page.reload()
  await expect(text).toHaveText(line)
  await recall.click()
  await expect(agent).toContainText(`My note says: ${line}`)
})

test('a second tab sees what the first one notes, and both add to one note at once', async ({
  page,
  context,
}) => {
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await openStory(tab, 'notes')
    await notesStory(tab).keep.click()
    await waitForGuard(tab)
  }
  await Promise.all([page, other].map((tab) => confirmation(tab).approve.press('Enter')))
  for (const tab of [page, other]) {
    await expect(notesStory(tab).agent).toContainText(`Noted in ${path}.`)
    await expect(notesStory(tab).text).toHaveText(`${line}\n${line}`)
  }
})

test('notes leave and come back as a zip', async ({ page }) => {
  await openStory(page, 'notes')
  const { notes, keep, text } = notesStory(page)
  await keep.click()
  await approve(page)
  await expect(text).toHaveText(line)
  const download = page.waitForEvent('download')
  await notes.getByRole('button', { name: 'Export a zip' }).click()
  const zip = await (await download).path()
  await expect(statusOf(page, 'Its notes')).toHaveText('1 note exported.')
  await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    await root.removeEntry('agent-notes', { recursive: true })
  })
  await page.reload()
  await expect(notes).toContainText('There are no notes yet')
  const chooser = page.waitForEvent('filechooser')
  await notes.getByRole('button', { name: 'Import a zip' }).click()
  await (await chooser).setFiles(zip)
  await expect(statusOf(page, 'Its notes')).toHaveText('1 added, 0 were there, 0 refused.')
  await expect(text).toHaveText(line)
})
