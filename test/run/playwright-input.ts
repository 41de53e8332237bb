import type {} from '@vitest/browser-playwright'
import type { BrowserCommand } from 'vitest/node'

const limits = new WeakMap<object, () => Promise<void>>()

/** The most that the storage of the page's origin may hold, in bytes; null for the usual. Chromium only. */
const limitStorage: BrowserCommand<[quotaBytes: number | null]> = async ({ page, context }, quotaBytes) => {
  // The limit lasts as long as the session that set it.
  await limits.get(page)?.()
  limits.delete(page)
  if (quotaBytes === null) return
  const session = await context.newCDPSession(page)
  const { origin } = new URL(page.url())
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: quotaBytes })
  limits.set(page, () => session.detach())
}

/**
 * What test/browser/dialog/real-input.ts sends to a browser that Playwright drives: trusted events at a place of
 * the page. Vitest's own `userEvent` cannot click in Firefox and knows no WebKitGTK.
 */
export const playwrightInput: Readonly<{
  clickAt: BrowserCommand<[x: number, y: number]>
  keyDown: BrowserCommand<[key: string]>
  keyUp: BrowserCommand<[key: string]>
  limitStorage: typeof limitStorage
}> = {
  clickAt: ({ page }, x, y) => page.mouse.click(x, y),
  // Down again without up is a repeat, as when the key is held.
  keyDown: ({ page }, key) => page.keyboard.down(key),
  keyUp: ({ page }, key) => page.keyboard.up(key),
  limitStorage,
}
