import type {} from '@vitest/browser-playwright'
import type { BrowserCommand } from 'vitest/node'

/**
 * What test/browser/dialog/real-input.ts sends to a browser that Playwright drives: trusted events at a place of
 * the page. Vitest's own `userEvent` cannot click in Firefox and knows no WebKitGTK.
 */
export const playwrightInput: Readonly<{
  clickAt: BrowserCommand<[x: number, y: number]>
  keyDown: BrowserCommand<[key: string]>
  keyUp: BrowserCommand<[key: string]>
}> = {
  clickAt: ({ page }, x, y) => page.mouse.click(x, y),
  // Down again without up is a repeat, as when the key is held.
  keyDown: ({ page }, key) => page.keyboard.down(key),
  keyUp: ({ page }, key) => page.keyboard.up(key),
}
