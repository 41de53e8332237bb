import { expect, type Locator, type Page } from '@playwright/test'
import { openStory, statusOf, test, textOf } from './demo-test.ts'
import { confirmation, waitForCheck, waitForGuard } from './dialog.ts'
import { answerButton, booked, callCard, expectTrip, planTrip } from './trip.ts'

/** What stood in the changed field, and what stands there now. */
function difference(page: Page): Locator {
  return confirmation(page).dialog.locator('[part="difference"] dd')
}

async function openEditor(page: Page): Promise<void> {
  await confirmation(page).dialog.getByRole('button', { name: 'Edit' }).click()
}

test('an edited input shows its difference, is what runs, and the model is told', async ({ page }) => {
  const { dialog, approve } = confirmation(page)
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await openEditor(page)
  await expect(difference(page)).toHaveCount(0)
  await dialog.getByRole('textbox', { name: 'subject' }).fill('Lunch on Friday')
  await expect(difference(page)).toHaveText(['"Lunch on Thursday"', '"Lunch on Friday"'])
  await waitForCheck(page)
  await approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
  await expect(page.locator('.outbox li')).toHaveText(/^Lunch on Friday to ada@example.com/)
  const ran = page.getByRole('group', { name: 'Input that ran' })
  expect(JSON.parse(await textOf(ran))).toMatchObject({ to: 'ada@example.com', subject: 'Lunch on Friday' })
  const told = page.getByRole('group', { name: 'What the model reads' })
  await expect(told).toContainText(/^Sent\.\s.*The user changed the arguments\..*"subject":"Lunch on Friday"/)
})

test('an input that was edited and put back is the proposed one: nothing differs, and no change is told', async ({
  page,
}) => {
  const { dialog, approve } = confirmation(page)
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await openEditor(page)
  await dialog.getByRole('textbox', { name: 'subject' }).fill('Lunch on Friday')
  await dialog.getByRole('button', { name: 'Undo subject' }).click()
  await expect(difference(page)).toHaveCount(0)
  await waitForCheck(page)
  await approve.click()
  await expect(page.getByRole('group', { name: 'What the model reads' })).toHaveText('Sent.')
})

test('an edited input that the tool would refuse cannot be approved', async ({ page }) => {
  const { dialog, approve, deny } = confirmation(page)
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await openEditor(page)
  await dialog.getByRole('radio', { name: 'As JSON' }).check()
  await dialog.getByRole('textbox', { name: 'As JSON' }).fill('{ "to": "ada@example.com", "body": "…" }')
  await expect(dialog).toContainText('The input has a problem.')
  await waitForGuard(page)
  await approve.click({ force: true })
  await expect(dialog).toBeVisible()
  await deny.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
})

test('an input that is edited while the run is paused is what runs when it goes on', async ({ page }) => {
  const { dialog, approve } = confirmation(page)
  await planTrip(page)
  await answerButton(page, 'book_hotel').click()
  await openEditor(page)
  const nights = dialog.getByRole('textbox', { name: 'nights' })
  await nights.press('ControlOrMeta+a')
  await nights.pressSequentially('3')
  await expect(difference(page)).toHaveText(['2', '3'])
  await waitForCheck(page)
  await approve.click()
  await expectTrip(page, 'The trip waits for 2 answers.')
  await expect(booked(page)).toHaveText(['T-1 Hotel am Prater, 3 nights'])
  await expect(callCard(page, 'book_hotel')).toContainText('The user changed the arguments.')
})
