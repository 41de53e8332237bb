import { expect, type Page } from '@playwright/test'
import { staySeen } from './dialog.ts'
import type { EverythingReport } from './pages/everything-page.ts'

type Report = { runAll(): Promise<EverythingReport> }

/** Has everything.html do all that it can, and says yes in the dialog. */
export async function runEverything(page: Page): Promise<EverythingReport> {
  const running = page.evaluate(() => (globalThis as unknown as Report).runAll())
  const approve = page.getByRole('button', { name: /Approve/ })
  await approve.waitFor()
  // The editor is loaded only now.
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'amount' }).fill('7')
  await expect(approve).not.toHaveAttribute('aria-disabled', 'true')
  await staySeen(page)
  await approve.click()
  return running
}
