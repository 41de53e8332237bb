import { expect, type Locator, type Page } from '@playwright/test'
import { openStory, statusOf, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

test.beforeEach(async ({ page }) => openStory(page, 'confirm'))

/** Asks to send the same e-mail as always. */
async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send one' }).click()
}

async function approve(
  page: Page,
  remember?: { readonly how: string; readonly what?: string },
): Promise<void> {
  const { dialog } = confirmation(page)
  await dialog.waitFor()
  if (remember !== undefined) {
    await dialog.getByLabel('How long your yes holds').selectOption(remember.how)
    if (remember.what !== undefined) await dialog.getByLabel('What it holds for').selectOption(remember.what)
  }
  await waitForGuard(page)
  await confirmation(page).approve.click()
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
}

async function expectNotAsked(page: Page): Promise<void> {
  await send(page)
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success (not asked).')
}

async function expectAsked(page: Page): Promise<void> {
  await send(page)
  await expect(confirmation(page).dialog).toContainText('ada@example.com')
  await page.keyboard.press('Escape')
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
}

function granted(page: Page): Locator {
  return page.locator('offstage-grants').getByRole('listitem')
}

const always = { how: 'Always, until you revoke it' }

test('what is allowed always is not asked about after a reload; revoked, it is asked again', async ({
  page,
}) => {
  await send(page)
  await approve(page, always)
  await expect(granted(page)).toHaveText(/send_email.*Exactly this input.*Always, until you revoke it/)
  await page.reload()
  await expectNotAsked(page)
  await page.getByRole('button', { name: 'Revoke send_email' }).click()
  await expect(page.getByText('Nothing is allowed without asking.')).toBeVisible()
  await expectAsked(page)
  await page.reload()
  await expectAsked(page)
})

test('a changed tool asks again, and what its earlier version was allowed is gone for ever', async ({
  page,
}) => {
  await send(page)
  await approve(page, { ...always, what: 'Every call of this tool' })
  await expectNotAsked(page)
  await page.getByRole('button', { name: 'Install version 2' }).click()
  await expectAsked(page)
  await expect(granted(page)).toHaveCount(0)
  // The reload brings version 1 back, but not its grant.
  await page.reload()
  await expectAsked(page)
})

test('a yes for this page holds until the reload', async ({ page }) => {
  await send(page)
  await approve(page, { how: 'While this page is open' })
  await expectNotAsked(page)
  await page.reload()
  await expect(page.getByText('Nothing is allowed without asking.')).toBeVisible()
  await expectAsked(page)
})

test('a yes for exactly one input leaves every other input to be asked about', async ({ page }) => {
  await send(page)
  await approve(page, always)
  await page.getByRole('button', { name: 'Send three' }).click()
  // The first of the three is the remembered one.
  await expect(confirmation(page).dialog).toContainText('grace@example.com')
  await page.keyboard.press('Escape')
  await expect(confirmation(page).dialog).toContainText('press@example.org')
  await page.keyboard.press('Escape')
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success (not asked), denied, denied.')
})

test('what is allowed and revoked in one tab counts in the other one at once', async ({ page }) => {
  const second = await page.context().newPage()
  await openStory(second, 'confirm')
  await send(page)
  await approve(page, always)
  await expect(granted(second)).toHaveText(/send_email/)
  await expectNotAsked(second)
  await second.getByRole('button', { name: 'Revoke send_email' }).click()
  await expect(granted(page)).toHaveCount(0)
  await expectAsked(page)
})
