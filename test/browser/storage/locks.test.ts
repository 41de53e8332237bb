import { expect, onTestFinished, test, vi } from 'vitest'
import { holdLock, isLocked } from '../../../src/storage/locks.ts'

const name = () => `test-${crypto.randomUUID()}`

/** A worker that takes a lock and says whether it has it; it lets go of it when it is told to. */
async function holder(
  lock: string,
): Promise<{ readonly held: boolean; release(): Promise<void>; end(): void }> {
  const worker = new Worker(new URL('./lock.worker.ts', import.meta.url), { type: 'module' })
  onTestFinished(() => worker.terminate())
  const next = () =>
    new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<string>) => resolve(data)
      worker.onerror = reject
    })
  const answer = next()
  worker.postMessage(lock)
  return {
    held: (await answer) === 'held',
    release: async () => {
      const released = next()
      worker.postMessage('release')
      await released
    },
    end: () => worker.terminate(),
  }
}

/** Waits until nobody holds the lock: what a closed tab held is free a moment later. */
async function free(lock: string): Promise<void> {
  while (await isLocked(lock)) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('a lock is held by one call at a time, and free again afterwards', async () => {
  const lock = name()
  const first = await holdLock(lock, async () => {
    expect(await isLocked(lock)).toBe(true)
    expect(await isLocked(name())).toBe(false)
    return holdLock(lock, async () => 'ran')
  })
  expect(first).toEqual({ held: true, value: { held: false } })
  await free(lock)
  expect(await holdLock(lock, async () => 'ran')).toEqual({ held: true, value: 'ran' })
})

test('a lock is free again after a failure, which reaches the caller', async () => {
  const lock = name()
  const failure = new DOMException('mine', 'SecurityError')
  const run = vi.fn(() => Promise.reject(failure))
  await expect(holdLock(lock, run)).rejects.toBe(failure)
  expect(run).toHaveBeenCalledOnce()
  await free(lock)
})

test('F01 a lock that another worker holds is not waited for, and works with any name', async () => {
  for (const lock of [name(), `-${name()}`, '']) {
    const other = await holder(lock)
    expect(other.held).toBe(true)
    expect(await isLocked(lock)).toBe(true)
    let ran = false
    const tried = await holdLock(lock, async () => {
      ran = true
    })
    expect([tried, ran]).toEqual([{ held: false }, false])
    await other.release()
    await free(lock)
    expect(await holdLock(lock, async () => 1)).toEqual({ held: true, value: 1 })
    await free(lock)
  }
})

test('F01 of two workers that want a lock at once, one has it', async () => {
  const lock = name()
  const both = await Promise.all([holder(lock), holder(lock)])
  expect(both.map(({ held }) => held).sort()).toEqual([false, true])
})

test('a lock is free again when the one that holds it is gone', async () => {
  const lock = name()
  const other = await holder(lock)
  other.end()
  await free(lock)
  expect(await holdLock(lock, async () => 1)).toEqual({ held: true, value: 1 })
})

test('a lock that this page holds is refused to a worker', async () => {
  const lock = name()
  const outcome = await holdLock(lock, async () => (await holder(lock)).held)
  expect(outcome).toEqual({ held: true, value: false })
})
