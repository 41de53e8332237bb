import { expect } from '@playwright/test'
import { openStory, test, textOf } from './demo-test.ts'

test.beforeEach(async ({ page }) => openStory(page, 'runaway'))

test('an endless tool is ended at its deadline, the page keeps drawing, and the next call answers', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Start the endless tool' }).click()
  await expect(page.getByRole('status')).toContainText('Ended.', { timeout: 15_000 })
  const status = await textOf(page.getByRole('status'))
  expect(Number(/([\d,]+) ms/.exec(status)?.[1])).toBeLessThan(500)
  const moments = page.getByRole('list', { name: 'What happened when' }).getByRole('listitem')
  await expect(moments).toHaveText([
    /roll_forever started/,
    /Its deadline passed; it was asked to stop/,
    /It did not stop: its worker was ended \(timeout\)/,
    /say_hello started/,
    /say_hello answered from the spare worker/,
  ])
  await expect(page.getByText('roll_forever was stopped')).toBeVisible()
  await expect(page.getByText('Hello from a fresh worker.').last()).toBeVisible()
})

test('an endless tool is ended when the person stops it', async ({ page }) => {
  await page.getByRole('button', { name: 'Start the endless tool' }).click()
  await expect(page.getByText('roll_forever started')).toBeVisible()
  await page.getByRole('button', { name: 'Stop it now' }).click()
  await expect(page.getByText('its worker was ended (cancelled)')).toBeVisible()
  await expect(page.getByText('say_hello answered from the spare worker')).toBeVisible()
})

test('a story that is left in the middle of a call takes its workers with it', async ({ page }) => {
  await page.getByRole('button', { name: 'Start the endless tool' }).click()
  await expect(page.getByText('roll_forever started')).toBeVisible()
  expect(page.workers().length).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Tool', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A tool and its schema')
  await expect.poll(() => page.workers().length).toBe(0)
})
