import { expect, type Page } from '@playwright/test'
import { openStory, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

test.beforeEach(async ({ page }) => openStory(page, 'agent'))

async function askAgent(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Ask the agent' }).click()
  await expect(confirmation(page).dialog).toContainText('restart_service', { timeout: 20_000 })
}

function card(page: Page, tool: string) {
  return page.locator(`[data-tool="${tool}"]`)
}

test('an agent reads logs in workers, computes, asks, and answers from the real results', async ({
  page,
}) => {
  await askAgent(page)
  await waitForGuard(page)
  await confirmation(page).approve.click()
  await expect(page.getByRole('status')).toHaveText('Done: the run ended with answer.')
  await expect(card(page, 'count_errors')).toHaveCount(3)
  for (const text of await card(page, 'count_errors').allInnerTexts()) expect(text).toContain('in a worker')
  const counts = (await card(page, 'count_errors').allInnerTexts()).map((text) =>
    Number(/: (\d+) errors/.exec(text)?.[1]),
  )
  const share = Math.round((100 * Math.max(...counts)) / counts.reduce((sum, count) => sum + count))
  await expect(card(page, 'calculator').locator('.call-text')).toHaveText(String(share))
  await expect(page.locator('.transcript > .model').last()).toContainText(
    `checkout fails most, with ${Math.max(...counts)} errors. It was restarted, as you allowed.`,
  )
})

test('the three logs are read side by side on more than one lane', async ({ page }) => {
  await askAgent(page)
  const cards = await card(page, 'count_errors').allInnerTexts()
  const lanes = new Set(cards.map((text) => /\((lane-\d)\)/.exec(text)?.[1]))
  expect(lanes.size).toBeGreaterThan(1)
})

test('a denied call changes the answer of the agent', async ({ page }) => {
  await askAgent(page)
  await page.keyboard.press('Escape')
  await expect(page.locator('.transcript > .model').last()).toContainText('It was not restarted.')
  await expect(card(page, 'restart_service')).toContainText('denied')
})

test('every event of the run is listed, the words of one message in one line', async ({ page }) => {
  await askAgent(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('status')).toHaveText('Done: the run ended with answer.')
  const types = await page.locator('.events .event-type').allInnerTexts()
  expect(types.filter((type) => type === 'step-start')).toHaveLength(4)
  expect(types.filter((type) => type === 'text-delta')).toHaveLength(4)
  expect(types.filter((type) => type === 'result')).toHaveLength(5)
  expect(types.at(-1)).toBe('done')
})

test('leaving the story while the agent asks closes the dialog and ends the workers', async ({ page }) => {
  await askAgent(page)
  // The dialog is modal, so it is left as a person leaves a page: with the browser's own button.
  await page.evaluate(() => {
    location.hash = '#tool'
  })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A tool and its schema')
  await expect(confirmation(page).dialog).toBeHidden()
  await expect.poll(() => page.workers().length).toBe(0)
})
