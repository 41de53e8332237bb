import { expect, type Page } from '@playwright/test'
import { axeViolations, prepareAxe } from './axe.ts'
import { openStory, storyIds, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'
import { planTrip } from './trip.ts'

/** Brings a story to where most of it can be seen. */
const fill: Partial<Record<(typeof storyIds)[number], (page: Page) => Promise<void>>> = {
  tool: async (page) => {
    await page.getByRole('button', { name: 'Nobody pays' }).click()
    await expect(page.getByRole('status')).toContainText('invalid')
  },
  pool: async (page) => {
    for (const where of ['On the page', 'In the pool']) {
      await page.getByRole('button', { name: where }).click()
      await expect(page.getByRole('status')).toContainText(`Done ${where.toLowerCase()}`, { timeout: 30_000 })
    }
  },
  runaway: async (page) => {
    await page.getByRole('button', { name: 'Start the endless tool' }).click()
    await expect(page.getByRole('status')).toContainText('Ended.', { timeout: 15_000 })
  },
  confirm: async (page) => {
    await page.getByRole('button', { name: 'Send one' }).click()
    await page.getByLabel('How long your yes holds').selectOption('always')
    await waitForGuard(page)
    await confirmation(page).approve.click()
    await expect(page.getByRole('button', { name: 'Revoke send_email' })).toBeVisible()
  },
  agent: async (page) => {
    await page.getByRole('button', { name: 'Ask the agent' }).click()
    await confirmation(page).dialog.waitFor({ timeout: 20_000 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('status')).toContainText('Done')
  },
  pause: planTrip,
  chat: async (page) => {
    await page.getByRole('button', { name: 'Which service fails most?' }).click()
    await expect(page.getByRole('button', { name: 'Allow restart_service' })).toBeVisible({ timeout: 20_000 })
    await page.getByText('An OpenAI-compatible endpoint').click()
    await page.getByText('Ollama, and what').click()
  },
  retrieval: async (page) => {
    await page.getByRole('searchbox').fill('book a meeting room')
    await page.getByRole('button', { name: 'Forbid the server travel' }).first().click()
    await expect(page.getByRole('status').first()).toContainText('are found')
    await page.getByRole('button', { name: 'Ask the agent' }).click()
    await expect(page.getByRole('status').last()).toHaveText('Done.', { timeout: 20_000 })
  },
  untrusted: async (page) => {
    await page.getByRole('radio', { name: 'Hidden characters' }).check()
    await page.getByRole('button', { name: 'Ask the agent' }).click()
    await expect(page.getByRole('status').first()).toContainText('Nothing to obey', { timeout: 20_000 })
  },
  console: async (page) => {
    await page.getByLabel('contact').fill('no JSON')
    await page.getByRole('button', { name: 'Run' }).click()
    await expect(page.getByText(/This is not JSON/)).toBeVisible()
  },
}

test.beforeEach(({ page }) => prepareAxe(page))

for (const id of storyIds) {
  test(`axe finds nothing on the story "${id}", empty and filled`, async ({ page }) => {
    await openStory(page, id)
    expect(await axeViolations(page)).toEqual([])
    await fill[id]?.(page)
    expect(await axeViolations(page)).toEqual([])
  })
}

test('axe finds nothing in the dialog with a form, an edited input and a list of all that waits', async ({
  page,
}) => {
  const { dialog } = confirmation(page)
  await planTrip(page)
  await page.getByRole('button', { name: 'Answer all' }).click()
  await dialog.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByRole('textbox', { name: 'train' }).fill('RJX 163')
  await expect(dialog).toContainText('Changed')
  expect(await axeViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Show the request ask_traveller' }).click()
  await expect(dialog.getByRole('combobox', { name: 'seat' })).toBeVisible()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds nothing in the open dialog', async ({ page }) => {
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send a hostile one' }).click()
  await confirmation(page).dialog.waitFor()
  expect(await axeViolations(page)).toEqual([])
  await confirmation(page)
    .dialog.getByText(/^Show all/)
    .click()
  expect(await axeViolations(page)).toEqual([])
})

test('axe finds a fault that is planted inside the shadow root of the dialog', async ({ page }) => {
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await confirmation(page).dialog.waitFor()
  await page.evaluate(() => {
    const dialog = document.querySelector('offstage-confirm')?.shadowRoot?.querySelector('dialog')
    const nameless = document.createElement('button')
    nameless.id = 'planted'
    dialog?.append(nameless)
  })
  const found = await axeViolations(page)
  expect(found.join('\n')).toContain('button-name: [["offstage-confirm","#planted"]]')
})

test('axe finds a colour that is hard to read in the dark only', async ({ page }) => {
  await openStory(page, 'tool')
  await page.evaluate(() => {
    const [heading] = document.getElementsByTagName('h1')
    heading?.style.setProperty('color', 'light-dark(#000, #222)')
  })
  expect((await axeViolations(page)).join('\n')).toMatch(/^in dark colours: color-contrast: \["h1"\]/)
})
