import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Makes axe ready on each page that is opened from now on. */
export async function prepareAxe(page: Page): Promise<void> {
  // An init script is not held to the page's Content-Security-Policy, as a script tag would be.
  await page.addInitScript(axe.source)
}

/** What axe finds on the page now, shadow roots included: one line for each element that breaks a rule. */
export async function axeViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations, passes } = await axe.run()
    if (passes.length === 0) return ['axe checked nothing']
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
    )
  })
}
