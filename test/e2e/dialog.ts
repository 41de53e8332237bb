import { expect, type Locator, type Page } from '@playwright/test'

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

/** Longer than the time in which no approval counts, and the time between two looks at the button, in milliseconds. */
const afterGuardMs = 500
/** The button is looked at in frames: on a busy machine there may be few of them in that time. */
const afterFrames = 10

/** Waits until what is on the screen now has been there for long enough to be approved. */
export async function waitForGuard(page: Page): Promise<void> {
  await confirmation(page).approve.waitFor()
  await staySeen(page)
}

/** Waits until the page has shown what it shows for longer than the guard time, by its own clock and frames. */
export async function staySeen(page: Page): Promise<void> {
  await page.evaluate(
    ([ms, frames]) =>
      new Promise<void>((resolve) => {
        const end = performance.now() + ms
        let left = frames
        const drawn = () => {
          left -= 1
          if (left <= 0 && performance.now() >= end) resolve()
          else requestAnimationFrame(drawn)
        }
        requestAnimationFrame(drawn)
      }),
    [afterGuardMs, afterFrames] as const,
  )
}

/** Waits until an edited input was checked, and the answer to it has been possible for long enough. */
export async function waitForCheck(page: Page): Promise<void> {
  await expect(confirmation(page).approve).not.toHaveAttribute('aria-disabled', 'true')
  await waitForGuard(page)
}
