import { expect } from '@playwright/test'
import { runEverything } from './run-everything.ts'
import { test } from './served-pages.ts'
import { readViolations, recordViolations } from './violations.ts'

test('everything runs under a strict policy and cross-origin isolation, and breaks neither', async ({
  page,
  strictPagesAddress,
}) => {
  await recordViolations(page)
  await page.goto(`${strictPagesAddress}everything.html`)
  const { isolated, status, resumed, outcomes } = await runEverything(page)
  expect(isolated).toBe(true)
  expect(status).toBe('done')
  expect(resumed).toBe('done, 1 allowed')
  expect(outcomes).toEqual({
    add: ['success', '3'],
    calculator: ['success', '42'],
    pay: ['success', expect.stringMatching(/^paid 7\n/)],
    spin: ['timeout', expect.stringContaining('300 ms')],
    notes: ['success', 'notes'],
    worker_notes: ['success', 'notes'],
  })
  expect(await readViolations(page)).toEqual([])
})

test('an inline script that is planted in such a page is refused and reported', async ({
  page,
  strictPagesAddress,
}) => {
  await recordViolations(page)
  await page.route('**/everything.html', async (route) => {
    const response = await route.fetch()
    const planted = '<script>globalThis.planted = true</script></head>'
    await route.fulfill({ response, body: (await response.text()).replace('</head>', planted) })
  })
  await page.goto(`${strictPagesAddress}everything.html`)
  expect(await page.evaluate(() => 'planted' in globalThis)).toBe(false)
  expect(await readViolations(page)).toEqual(['script-src-elem blocked inline'])
})
