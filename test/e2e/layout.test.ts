import { expect } from '@playwright/test'
import { openStory, storyIds, test } from './demo-test.ts'
import { confirmation } from './dialog.ts'

test.describe('at 390 px', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  for (const id of storyIds) {
    test(`the story "${id}" does not scroll sideways`, async ({ page }) => {
      await openStory(page, id)
      await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    })
  }

  test('the dialog with a hostile input fits, and its buttons can be seen', async ({ page }) => {
    await openStory(page, 'confirm')
    await page.getByRole('button', { name: 'Send a hostile one' }).click()
    const { dialog, deny, approve } = confirmation(page)
    await expect(deny).toBeInViewport({ ratio: 1 })
    await expect(approve).toBeInViewport({ ratio: 1 })
    const box = await dialog.boundingBox()
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 390).toBe(true)
  })
})

test('the keyboard alone goes through the stories', async ({ page }) => {
  await page.goto('./')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the story' })).toBeFocused()
  for (const name of ['Tool', 'Pool', 'Runaway']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('navigation').getByRole('link', { name })).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('A tool that never ends')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page).toHaveTitle('A tool that never ends · Offstage')
})

test('the demo is served under a policy that forbids foreign and inline scripts', async ({ request }) => {
  const policy = (await request.get('./')).headers()['content-security-policy']
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("require-trusted-types-for 'script'")
})
