import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdLock, isLocked } from '../../../src/storage/locks.ts'

afterEach(() => vi.unstubAllGlobals())

describe.each([
  ['where there are no Web Locks', {}],
  ['where the page may not use them', { locks: refusedLocks() }],
])('a lock %s', (_where, navigator) => {
  it('is held by one at a time, and free again afterwards', async () => {
    vi.stubGlobal('navigator', navigator)
    const ran: string[] = []
    const outer = await holdLock('a', async () => {
      ran.push('first')
      expect(await isLocked('a')).toBe(true)
      expect(await isLocked('b')).toBe(false)
      const other = await holdLock('b', async () => 'other')
      const second = await holdLock('a', async () => ran.push('second'))
      return { other, second }
    })
    expect(outer).toEqual({
      held: true,
      value: { other: { held: true, value: 'other' }, second: { held: false } },
    })
    expect(ran).toEqual(['first'])
    expect(await isLocked('a')).toBe(false)
    expect(await holdLock('a', async () => 3)).toEqual({ held: true, value: 3 })
  })

  it('is free again after a failure, which reaches the caller', async () => {
    vi.stubGlobal('navigator', navigator)
    const failure = new DOMException('mine', 'SecurityError')
    await expect(holdLock('a', () => Promise.reject(failure))).rejects.toBe(failure)
    await expect(
      holdLock('a', () => {
        throw failure
      }),
    ).rejects.toBe(failure)
    expect(await isLocked('a')).toBe(false)
  })
})

it('is not taken when the locks fail in another way, for example in a page that is going away', async () => {
  const failure = new DOMException('not fully active', 'InvalidStateError')
  const fail = () => Promise.reject(failure)
  vi.stubGlobal('navigator', { locks: { request: fail, query: fail } })
  const run = vi.fn(async () => {})
  await expect(holdLock('a', run)).rejects.toBe(failure)
  await expect(isLocked('a')).rejects.toBe(failure)
  expect(run).not.toHaveBeenCalled()
})

function refusedLocks(): object {
  const refuse = () => Promise.reject(new DOMException('no origin', 'SecurityError'))
  return { request: refuse, query: refuse }
}
