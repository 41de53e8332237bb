import type { Page } from '@playwright/test'

interface Recorded {
  recordedViolations?: string[]
}

/** Has every document of the page note what its Content-Security-Policy refuses. Call it before the page is opened. */
export async function recordViolations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded = globalThis as Recorded
    recorded.recordedViolations = []
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      recorded.recordedViolations?.push(`${effectiveDirective} blocked ${blockedURI}`)
    })
  })
}

/** What the policy of the document refused so far, for example `script-src-elem blocked inline`. */
export function readViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => (globalThis as Recorded).recordedViolations ?? [])
}
