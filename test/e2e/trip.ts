import { expect, type Locator, type Page } from '@playwright/test'
import { openStory } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

/** The calls of the trip that wait for the person. */
export const questions = ['book_train', 'book_hotel', 'ask_traveller'] as const

/** Opens the story and plans a trip, up to its pause. */
export async function planTrip(page: Page): Promise<void> {
  await openStory(page, 'pause')
  await page.getByRole('button', { name: 'Plan the trip' }).click()
  await expectTrip(page, 'The trip waits for 3 answers.')
}

/** Expects what the story says about the trip. */
export async function expectTrip(page: Page, words: string): Promise<void> {
  await expect(page.getByRole('status')).toHaveText(words)
}

/** The button that answers a call. */
export function answerButton(page: Page, tool: string): Locator {
  return page.getByRole('button', { name: `Answer ${tool}` })
}

/** What is shown of a call. */
export function callCard(page: Page, tool: string): Locator {
  return page.locator(`[data-tool="${tool}"]`)
}

/** Opens the dialog of a call and says yes to what it shows. */
export async function approveCall(page: Page, tool: string): Promise<void> {
  await answerButton(page, tool).click()
  await expect(confirmation(page).dialog).toContainText(tool)
  await waitForGuard(page)
  await confirmation(page).approve.click()
  await expect(callCard(page, tool)).toContainText('success')
}

/** What was booked so far. */
export function booked(page: Page): Locator {
  return page.getByRole('region', { name: 'What is booked' }).getByRole('listitem')
}

/** The last thing that was said. */
export function lastWords(page: Page): Locator {
  return page.getByRole('list', { name: 'The trip' }).getByRole('listitem').last()
}
