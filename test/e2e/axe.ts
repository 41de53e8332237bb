import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** Makes axe ready on each page that is opened from now on. */
export async function prepareAxe(page: Page): Promise<void> {
  // An init script is not held to the page's Content-Security-Policy, as a script tag would be.
  await page.addInitScript(axe.source)
}

/** The rules of axe that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * What axe finds on the page now, shadow roots included: one line for each element that breaks a rule. In light
 * colours all rules look at it, and in dark ones those that can see a difference.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const inLight = await violationsNow(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await violationsNow(page, colourRules)
  return [...inLight, ...inDark.map((line) => `in dark colours: ${line}`)]
}

function violationsNow(page: Page, rules?: readonly string[]): Promise<string[]> {
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations, passes } = await axe.run(only === undefined ? {} : { runOnly: [...only] })
    if (passes.length === 0) return ['axe checked nothing']
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary ?? ''}`),
    )
  }, rules)
}
