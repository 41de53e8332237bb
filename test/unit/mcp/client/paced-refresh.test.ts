import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { maxGapMs, minGapMs, pacedRefresh } from '../../../../src/mcp/paced-refresh.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A refresh that takes so long; `changes` says whether it found something. */
function counting(tookMs: number, changes = () => false) {
  const counts = { started: 0, running: 0, most: 0 }
  const refresh = async () => {
    counts.started += 1
    counts.running += 1
    counts.most = Math.max(counts.most, counts.running)
    await new Promise((resolve) => setTimeout(resolve, tookMs))
    counts.running -= 1
    return changes()
  }
  return { counts, refresh }
}

it('E21 meets 200 requests within one second with one refresh and one that follows', async () => {
  const { counts, refresh } = counting(300)
  const paced = pacedRefresh(refresh)
  for (let count = 0; count < 200; count += 1) {
    paced.request()
    await vi.advanceTimersByTimeAsync(5)
  }
  expect(counts).toMatchObject({ started: 1, most: 1 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(counts).toMatchObject({ started: 2, most: 1 })
  expect(paced.due).toBe(false)
})

it('E21 meets 3 requests per second for ever with refreshes further and further apart', async () => {
  const { counts, refresh } = counting(50)
  const paced = pacedRefresh(refresh)
  const startedAfter = async (ms: number) => {
    const before = counts.started
    for (let passed = 0; passed < ms; passed += 333) {
      paced.request()
      await vi.advanceTimersByTimeAsync(333)
    }
    return counts.started - before
  }
  const first = await startedAfter(10 * 60_000)
  const later = await startedAfter(10 * 60_000)
  expect(first).toBeLessThanOrEqual(6 + (10 * 60_000) / maxGapMs)
  expect(later).toBeGreaterThanOrEqual(9)
  expect(later).toBeLessThanOrEqual(10)
})

it('follows changes closely: the gap is small again after one', async () => {
  const { counts, refresh } = counting(0, () => true)
  const paced = pacedRefresh(refresh)
  for (let count = 0; count < 10; count += 1) {
    paced.request()
    await vi.advanceTimersByTimeAsync(minGapMs)
  }
  expect(counts.started).toBe(10)
})

it('a reading that is asked for now began after the asking, however many ask', async () => {
  const { counts, refresh } = counting(100)
  const paced = pacedRefresh(refresh)
  const first = paced.now()
  await vi.advanceTimersByTimeAsync(50)
  const later = [paced.now(), paced.now(), paced.now()]
  await vi.advanceTimersByTimeAsync(50)
  await first
  expect(counts.started).toBe(2)
  await vi.advanceTimersByTimeAsync(100)
  await Promise.all(later)
  expect(counts).toMatchObject({ started: 2, most: 1 })
})

it('is still due after a reading that failed, and tries again', async () => {
  let fails = true
  const refresh = vi.fn(async () => {
    if (fails) throw new Error('no answer')
    return false
  })
  const paced = pacedRefresh(refresh)
  await expect(paced.now()).rejects.toThrow('no answer')
  expect(paced.due).toBe(true)
  fails = false
  await vi.advanceTimersByTimeAsync(maxGapMs)
  expect(refresh).toHaveBeenCalledTimes(2)
  expect(paced.due).toBe(false)
})

it('what was asked for is forgotten when it no longer matters', async () => {
  const { counts, refresh } = counting(100)
  const paced = pacedRefresh(refresh)
  paced.request()
  paced.request()
  paced.forget()
  expect(counts.started).toBe(1)
  await vi.advanceTimersByTimeAsync(maxGapMs * 2)
  expect(counts.started).toBe(1)
  paced.request()
  await vi.advanceTimersByTimeAsync(maxGapMs * 2)
  expect(counts.started).toBe(2)
})
