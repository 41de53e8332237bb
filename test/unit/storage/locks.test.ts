import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdLock, isLocked, waitForLock } from '../../../src/storage/locks.ts'

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

describe.each([
  ['where there are no Web Locks', {}],
  ['where the page may not use them', { locks: refusedLocks() }],
])('a lock that is waited for %s', (_where, navigator) => {
  const wait = { timeoutMs: 5_000 }

  it('goes to those who wait one after the other, in their order', async () => {
    vi.stubGlobal('navigator', navigator)
    const ran: string[] = []
    let inside = 0
    const take = (name: string) => async () => {
      inside += 1
      ran.push(`${name} ${inside}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside -= 1
      return name
    }
    const names = ['one', 'two', 'three', 'four']
    expect(await Promise.all(names.map((name) => waitForLock('w', take(name), wait)))).toEqual(names)
    expect(ran).toEqual(names.map((name) => `${name} 1`))
    expect(await isLocked('w')).toBe(false)
  })

  it('is given up after the time, with a code, and passes on when somebody fails', async () => {
    vi.stubGlobal('navigator', navigator)
    const run = vi.fn(async () => {})
    const failure = new Error('mine')
    await expect(
      waitForLock(
        'w',
        async () => {
          await expect(waitForLock('w', run, { timeoutMs: 30 })).rejects.toMatchObject({
            name: 'StorageError',
            code: 'locked',
            message: expect.stringContaining('30 ms'),
          })
          throw failure
        },
        wait,
      ),
    ).rejects.toBe(failure)
    expect(run).not.toHaveBeenCalled()
    expect(await waitForLock('w', async () => 7, wait)).toBe(7)
  })

  it('is not waited for any longer when the signal aborts; what runs goes on', async () => {
    vi.stubGlobal('navigator', navigator)
    const stop = new AbortController()
    const reason = new Error('stopped')
    const run = vi.fn(async () => {})
    const first = waitForLock(
      'w',
      async () => {
        const second = waitForLock('w', run, { ...wait, signal: stop.signal })
        stop.abort(reason)
        await expect(second).rejects.toBe(reason)
        return 'done'
      },
      { ...wait, signal: stop.signal },
    )
    expect(await first).toBe('done')
    expect(run).not.toHaveBeenCalled()
    await expect(waitForLock('w', run, { ...wait, signal: stop.signal })).rejects.toBe(reason)
  })
})

it('is not taken when the locks fail in another way, for example in a page that is going away', async () => {
  const failure = new DOMException('not fully active', 'InvalidStateError')
  const fail = () => Promise.reject(failure)
  vi.stubGlobal('navigator', { locks: { request: fail, query: fail } })
  const run = vi.fn(async () => {})
  await expect(holdLock('a', run)).rejects.toBe(failure)
  await expect(isLocked('a')).rejects.toBe(failure)
  await expect(waitForLock('a', run, { timeoutMs: 5_000 })).rejects.toBe(failure)
  expect(run).not.toHaveBeenCalled()
})

function refusedLocks(): object {
  const refuse = () => Promise.reject(new DOMException('no origin', 'SecurityError'))
  return { request: refuse, query: refuse }
}
