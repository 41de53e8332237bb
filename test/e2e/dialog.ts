import type { Locator, Page } from '@playwright/test'

/** The parts of the confirmation dialog. */
export interface DialogParts {
  readonly dialog: Locator
  readonly deny: Locator
  readonly approve: Locator
  readonly reason: Locator
}

/** Finds the open confirmation dialog; its shadow root is open. */
export function confirmation(page: Page): DialogParts {
  const dialog = page.getByRole('alertdialog')
  return {
    dialog,
    deny: dialog.getByRole('button', { name: 'Deny' }),
    approve: dialog.getByRole('button', { name: 'Approve' }),
    reason: dialog.getByRole('textbox', { name: 'Reason for denying' }),
  }
}

/** Longer than the time in which no approval counts, in milliseconds. */
export const afterGuardMs = 500

/** Waits until the dialog has been on the screen for long enough to be approved. */
export async function waitForGuard(page: Page): Promise<void> {
  await confirmation(page).approve.waitFor()
  await page.waitForTimeout(afterGuardMs)
}
