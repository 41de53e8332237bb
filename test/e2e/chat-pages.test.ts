import { expect } from '@playwright/test'
import { axeViolations, prepareAxe } from './axe.ts'
import {
  allow,
  answerButton,
  callsOf,
  chatOf,
  chatPages,
  correctKey,
  say,
  talkToServer,
  test,
} from './chat.ts'

const failures = 'Which service fails most? Restart it if that helps.'

for (const name of ['React', 'Svelte'] as const) {
  test.describe(`the chat in ${name}`, () => {
    test.beforeEach(async ({ page }) => {
      await prepareAxe(page)
      await page.goto(chatPages[name])
    })

    test('shows calls in workers, a question, and the note of the component’s own tool', async ({ page }) => {
      const { conversation, notes, send, box } = chatOf(page)
      await page.getByRole('button', { name: failures }).click()
      await expect(box).toBeFocused()
      await allow(page, 'restart_service')
      await expect(box).toBeFocused()
      await expect(conversation).toContainText('checkout was restarted, as you allowed.')
      await expect(callsOf(page, 'count_errors')).toHaveCount(3)
      await expect(notes).toHaveText([/^checkout: \d+ errors, was restarted$/])
      await expect(send).toBeEnabled()
      await expect(page.locator('[aria-live="polite"]')).toContainText('as you allowed.')
    })

    test('talks to a model on loopback, stops it, and goes on', async ({ page, server }) => {
      await talkToServer(page, server)
      await expect(page.locator('.words b, .words img')).toHaveCount(0)
    })

    test.describe('with a key that is refused', () => {
      test.use({ trouble: /401/ })

      test('says so, and goes on with the right one', ({ page, server }) => correctKey(page, server))
    })

    test.describe('at 390 px', () => {
      test.use({ viewport: { width: 390, height: 844 } })

      test('axe finds nothing in light and in dark colours, and nothing scrolls sideways', async ({
        page,
      }) => {
        const expectNothing = async () => {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            expect(await axeViolations(page)).toEqual([])
          }
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
        }
        await expectNothing()
        await page.getByRole('radio', { name: 'An OpenAI-compatible endpoint' }).check()
        await page.getByRole('textbox', { name: 'Address' }).fill('')
        await say(page, failures)
        await expect(chatOf(page).trouble).toContainText('Give the address of the endpoint')
        await expectNothing()
        await page.getByRole('radio', { name: 'The script, offline' }).check()
        await chatOf(page).trouble.getByRole('button').click()
        await answerButton(page, 'Allow', 'restart_service').waitFor({ timeout: 20_000 })
        await expectNothing()
      })
    })
  })
}
