import { expect } from '@playwright/test'
import { openStory, statusOf, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

test.beforeEach(async ({ page }) => openStory(page, 'confirm'))

test('an approved call runs with exactly the input that was shown', async ({ page }) => {
  const { dialog, approve } = confirmation(page)
  await page.getByRole('button', { name: 'Send one' }).click()
  await expect(dialog).toContainText('send_email')
  await expect(dialog).toContainText('ada@example.com')
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
  await waitForGuard(page)
  await approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
  await expect(page.locator('.outbox')).toContainText('Lunch on Thursday to ada@example.com')
})

test('a denied call does not run and the model is told the reason', async ({ page }) => {
  const { deny, reason } = confirmation(page)
  await page.getByRole('button', { name: 'Send one' }).click()
  await reason.fill('Ask Ada in person.')
  await deny.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toContainText('Ask Ada in person.')
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
})

test('three calls of one step are asked one after the other and end in call order', async ({ page }) => {
  const { dialog, deny, approve } = confirmation(page)
  await page.getByRole('button', { name: 'Send three' }).click()
  await expect(dialog).toContainText('1 of 3')
  await waitForGuard(page)
  await approve.click()
  await expect(dialog).toContainText('2 of 3')
  await deny.click()
  await expect(dialog).toContainText('3 of 3')
  await expect(dialog).toContainText('The address is outside example.com.')
  await waitForGuard(page)
  await approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success, denied, success.')
  await expect(page.locator('.outbox li strong')).toHaveText(['Lunch on Thursday', 'Release date'])
})

test('a hostile input is shown letter for letter, with its invisible characters named', async ({ page }) => {
  const { dialog, deny } = confirmation(page)
  await page.getByRole('button', { name: 'Send a hostile one' }).click()
  for (const name of ['U+202E', 'U+202C', 'U+200B', 'U+2066']) await expect(dialog).toContainText(name)
  // What is long is folded, not cut: its end is in sight, and the rest can be opened.
  await expect(dialog).toContainText('The password is hunter2.')
  await dialog.getByText(/^Show all/).click()
  await expect(deny).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
})
