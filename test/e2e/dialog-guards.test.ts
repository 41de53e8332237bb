import { expect, type Page } from '@playwright/test'
import { openStory, statusOf, test } from './demo-test.ts'
import { confirmation, waitForGuard } from './dialog.ts'

test.beforeEach(async ({ page }) => openStory(page, 'confirm'))

async function ask(page: Page, button = 'Send one'): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await confirmation(page).dialog.waitFor()
}

async function expectNothingSent(page: Page): Promise<void> {
  await expect(page.getByText('Nothing was sent.')).toBeVisible()
  await expect(page.locator('.outbox li')).toHaveCount(0)
}

async function middleOfApprove(page: Page): Promise<readonly [x: number, y: number]> {
  const box = await confirmation(page).approve.boundingBox()
  if (box === null) throw new Error('The Approve button cannot be seen.')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** When the question was asked, and when the mouse was pressed last, as the page saw it. */
interface SeenTimes {
  askedAt?: number
  pressedAt?: number
}

/**
 * Asks anew, with the mouse where Approve will be, and does something that presses it. On a busy machine that comes too
 * late to show anything: then once more, until the last press was in the first 300 ms.
 */
async function askAndPress(
  page: Page,
  press: (place: readonly [number, number]) => Promise<void>,
): Promise<void> {
  await ask(page)
  const place = await middleOfApprove(page)
  for (let lastMs = Number.POSITIVE_INFINITY; !(lastMs < 300); ) {
    await page.mouse.up()
    await page.reload()
    await page.evaluate(() => {
      const times = globalThis as SeenTimes
      const options = { capture: true }
      addEventListener('keydown', ({ timeStamp }) => Object.assign(times, { askedAt: timeStamp }), options)
      addEventListener(
        'pointerdown',
        ({ timeStamp }) => Object.assign(times, { pressedAt: timeStamp }),
        options,
      )
    })
    await page.mouse.move(...place)
    await page.getByRole('button', { name: 'Send one' }).press('Enter')
    await press(place)
    lastMs = await page.evaluate(() => {
      const { askedAt = 0, pressedAt = Number.POSITIVE_INFINITY } = globalThis as SeenTimes
      return pressedAt - askedAt
    })
  }
}

test('clicks in the first 300 ms approve nothing, and a later one does', async ({ page }) => {
  let place: readonly [number, number] = [0, 0]
  await askAndPress(page, async (middle) => {
    place = middle
    // As fast as they can, as long as another one may be in time.
    for (const end = Date.now() + 200; Date.now() < end; ) await page.mouse.click(...place)
  })
  await expect(confirmation(page).dialog).toBeVisible()
  await expectNothingSent(page)
  await waitForGuard(page)
  await page.mouse.click(...place)
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
})

test('a press that begins in the first 300 ms approves nothing when it ends later', async ({ page }) => {
  await askAndPress(page, async () => {
    await confirmation(page).dialog.waitFor()
    await page.mouse.down()
  })
  await page.waitForTimeout(600)
  await page.mouse.up()
  await expect(confirmation(page).dialog).toBeVisible()
  await expectNothingSent(page)
})

test('F15 a question that nobody answers in time is not approved, and a late click does nothing', async ({
  page,
}) => {
  await ask(page, 'Give me 3 seconds')
  await waitForGuard(page)
  const place = await middleOfApprove(page)
  await page.mouse.move(...place)
  await page.mouse.down()
  await expect(confirmation(page).dialog).toBeHidden({ timeout: 10_000 })
  await page.mouse.up()
  await page.mouse.click(...place)
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expect(page.getByRole('group', { name: 'What the model reads' })).toContainText('within 3 s')
  await expectNothingSent(page)
})

test('F15 an aborted step closes the dialog and settles every call, and a late click does nothing', async ({
  page,
}) => {
  await ask(page, 'Take it back')
  await expect(confirmation(page).dialog).toContainText('1 of 3')
  const place = await middleOfApprove(page)
  await expect(confirmation(page).dialog).toBeHidden({ timeout: 10_000 })
  await page.mouse.click(...place)
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: cancelled, cancelled, cancelled.')
  await expectNothingSent(page)
})

test('F15 a dialog that is removed from the page has not approved', async ({ page }) => {
  await ask(page)
  await page.evaluate(() => document.querySelector('offstage-confirm')?.remove())
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expectNothingSent(page)
})

test('F05 a late approval after a denial runs nothing', async ({ page }) => {
  await ask(page)
  await waitForGuard(page)
  const place = await middleOfApprove(page)
  const approve = await confirmation(page).approve.elementHandle()
  await confirmation(page).deny.click()
  await page.mouse.click(...place)
  await approve?.evaluate((button) => (button as HTMLElement).click())
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expectNothingSent(page)
})

test('a click, a press and a key that a script makes approve nothing', async ({ page }) => {
  await ask(page)
  await waitForGuard(page)
  await confirmation(page).approve.evaluate((button: HTMLElement) => {
    button.click()
    for (const type of ['pointerdown', 'pointerup']) button.dispatchEvent(new PointerEvent(type))
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    for (const key of ['Enter', ' ']) {
      button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      button.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }))
    }
  })
  await expect(confirmation(page).dialog).toBeVisible()
  await expectNothingSent(page)
})

test('the focus starts on Deny and goes back to the button that asked', async ({ page }) => {
  await page.getByRole('button', { name: 'Send one' }).focus()
  await page.keyboard.press('Enter')
  await expect(confirmation(page).deny).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expect(page.getByRole('button', { name: 'Send one' })).toBeFocused()
  await expectNothingSent(page)
})

for (const key of ['Space', 'Enter']) {
  test(`the keyboard alone approves: Tab to Approve, then ${key}`, async ({ page }) => {
    await page.getByRole('button', { name: 'Send one' }).focus()
    await page.keyboard.press('Enter')
    await waitForGuard(page)
    await page.keyboard.press('Tab')
    await expect(confirmation(page).approve).toBeFocused()
    await page.keyboard.press(key)
    await expect(statusOf(page, 'Ask')).toHaveText('Answered: success.')
    await expect(page.getByRole('button', { name: 'Send one' })).toBeFocused()
  })
}

test('Enter on the dialog as it opens denies; it never approves by accident', async ({ page }) => {
  await page.getByRole('button', { name: 'Send one' }).focus()
  await page.keyboard.press('Enter')
  await waitForGuard(page)
  await page.keyboard.press('Enter')
  await expect(statusOf(page, 'Ask')).toHaveText('Answered: denied.')
  await expectNothingSent(page)
})
