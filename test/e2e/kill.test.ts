import { expect } from '@playwright/test'
import type { KillReport } from './pages/kill-page.ts'
import { test } from './served-pages.ts'

test('a killed tool has really stopped: its file stops growing, no frame was late, the next call answers', async ({
  page,
  pagesAddress,
}) => {
  await page.goto(`${pagesAddress}kill.html`)
  const report = await page.evaluate(() => (globalThis as unknown as { kill(): Promise<KillReport> }).kill())
  expect(report.outcome).toBe('timeout')
  // It wrote all the while: each look but the first found more.
  const grown = report.sizesBefore.filter((size, index) => size > (report.sizesBefore[index - 1] ?? 0))
  expect(grown.length).toBeGreaterThan(3)
  expect(report.grewForMs, 'how long the file grew after the result').toBeDefined()
  expect(report.tookMs).toBeGreaterThanOrEqual(report.deadlineMs - 5)
  // A hang guard: the deadline, the grace of 100 ms, and room for a busy machine.
  expect(report.tookMs).toBeLessThan(report.deadlineMs + 1_000)
  expect(report.frames).toBeGreaterThan(10)
  // A page that its tool held up would stand still until the deadline.
  expect(report.longestGapMs).toBeLessThan(report.deadlineMs / 2)
  expect(report.next).toBe('still here')
  expect(report.lanes).toEqual(['lane-1', 'lane-1'])
})
