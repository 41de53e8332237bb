import { expect, test } from '@playwright/test'
import { openStory, statusOf } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

// The file that a bundler makes of the dialog, which is loaded by import().
const dialogFile = /confirm-queue/

test('a dialog whose file is gone denies and says so; when it is back, the person is asked', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => {
    if (dialogFile.test(request.url())) requests.push(request.url())
  })
  await page.route(dialogFile, (route) => route.fulfill({ status: 404 }))
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  const told = page.getByRole('group', { name: 'What the model reads' })
  await expect(told).toContainText('the dialog could not be loaded')
  await expect(told).toContainText('it may help to reload the page')
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
  expect(requests.length).toBeGreaterThan(0)

  await page.unroute(dialogFile)
  await page.reload()
  const { approve } = confirmation(page)
  await page.getByRole('button', { name: 'Send one' }).click()
  await waitForGuard(page)
  await approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
})

test('a dialog that was out of reach for a moment is fetched again for the next question', async ({
  page,
  browserName,
}) => {
  await page.route(dialogFile, (route) => route.abort())
  await openStory(page, 'confirm')
  await page.getByRole('button', { name: 'Send one' }).click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await page.unroute(dialogFile)
  // This Firefox remembers that a module failed (https://github.com/whatwg/html/issues/6768): there a reload helps.
  if (browserName === 'firefox') await page.reload()
  const { approve } = confirmation(page)
  await page.getByRole('button', { name: 'Send one' }).click()
  await waitForGuard(page)
  await approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
})
