import { describe, expect, test, vi } from 'vitest'
import type { KeyValueStore } from '../../../src/storage/key-value.ts'

/** What every key-value store does, whatever it keeps its values in. */
export function describeKeyValueStore(name: string, makeStore: () => KeyValueStore): void {
  describe(name, () => {
    test('knows nothing at first', async () => {
      const store = makeStore()
      expect(await store.get('a')).toBeUndefined()
      expect(await store.entries()).toEqual([])
    })

    test('keeps what a change gives and hands it to the next change', async () => {
      const store = makeStore()
      const seen: unknown[] = []
      const add = (old: unknown) => {
        seen.push(old)
        return [...((old as string[] | undefined) ?? []), 'x']
      }
      expect(await store.update('a', add)).toEqual(['x'])
      expect(await store.update('a', add)).toEqual(['x', 'x'])
      expect(seen).toEqual([undefined, ['x']])
      expect(await store.get('a')).toEqual(['x', 'x'])
    })

    test('keeps falsy values; undefined alone deletes', async () => {
      const store = makeStore()
      const falsy: readonly unknown[] = [0, '', false, null]
      for (const [index, value] of falsy.entries()) await store.update(`${index}`, () => value)
      expect((await store.entries()).map(([, value]) => value)).toEqual(falsy)
      await store.update('0', () => undefined)
      expect((await store.entries()).map(([key]) => key)).toEqual(['1', '2', '3'])
      expect(await store.get('0')).toBeUndefined()
    })

    test('deletes a key, and one that is not there', async () => {
      const store = makeStore()
      await store.update('a', () => 1)
      await store.delete('a')
      await store.delete('a')
      expect(await store.entries()).toEqual([])
    })

    test('lists its entries in the order of their keys', async () => {
      const store = makeStore()
      const keys = ['b', '', 'a', '\u{1F600}', '\uFFFD', 'A', '__proto__', 'constructor']
      await Promise.all(keys.map((key) => store.update(key, () => key)))
      const sorted = keys.toSorted((one, other) => (one < other ? -1 : 1))
      expect(await store.entries()).toEqual(sorted.map((key) => [key, key]))
    })

    test('leaves all as it was when a change throws, and rejects with that', async () => {
      const store = makeStore()
      await store.update('a', () => 'before')
      const reason = { what: 'anything' }
      const throws = () => {
        throw reason
      }
      await expect(store.update('a', throws)).rejects.toBe(reason)
      await expect(store.update('b', throws)).rejects.toBe(reason)
      expect(await store.entries()).toEqual([['a', 'before']])
    })

    test('rejects a value that cannot be copied and keeps the old one', async () => {
      const store = makeStore()
      await store.update('a', () => 'before')
      await expect(store.update('a', () => ({ run: () => {} }))).rejects.toMatchObject({
        name: 'DataCloneError',
      })
      expect(await store.get('a')).toBe('before')
    })

    test('copies values on the way in and out', async () => {
      const store = makeStore()
      const given = { list: [1], at: new Date(5), map: new Map([['k', 1]]) }
      await store.update('a', () => given)
      given.list.push(2)
      const read = (await store.get('a')) as typeof given
      expect(read).toEqual({ list: [1], at: new Date(5), map: new Map([['k', 1]]) })
      read.list.push(3)
      for (const [, value] of await store.entries()) (value as typeof given).list.push(4)
      await store.update('b', () => 0)
      expect(((await store.get('a')) as typeof given).list).toEqual([1])
      await store
        .update('a', (old) => {
          ;(old as typeof given).list.push(5)
          throw new Error('no')
        })
        .catch(() => {})
      expect(((await store.get('a')) as typeof given).list).toEqual([1])
    })

    test('loses no change of many at once', async () => {
      const store = makeStore()
      const count = (old: unknown) => Number(old ?? 0) + 1
      await Promise.all(Array.from({ length: 50 }, () => store.update('n', count)))
      expect(await store.get('n')).toBe(50)
    })

    test('tells its listeners after each change, until they stop', async () => {
      const store = makeStore()
      const seen: unknown[] = []
      const stop = store.subscribe?.(() => seen.push(store.get('a')))
      await store.update('a', () => 1)
      await store.get('a')
      await store
        .update('a', () => {
          throw new Error('no')
        })
        .catch(() => {})
      await store.delete('a')
      expect(await Promise.all(seen)).toEqual([1, undefined])
      stop?.()
      await store.update('a', () => 2)
      expect(seen).toHaveLength(2)
    })

    test('is not kept from a change by a listener that throws, which the page hears of', async () => {
      const store = makeStore()
      const later = vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never)
      const stop = store.subscribe?.(() => {
        throw new Error('listener')
      })
      const heard = vi.fn()
      store.subscribe?.(heard)
      await store.update('a', () => 1)
      stop?.()
      expect(heard).toHaveBeenCalledOnce()
      const thrown = later.mock.calls.map(([run]) => run as () => void)
      later.mockRestore()
      expect(thrown.some((run) => throwsListener(run))).toBe(true)
      expect(await store.get('a')).toBe(1)
    })

    test('can be used again after it was closed', async () => {
      const store = makeStore()
      await store.update('a', () => 1)
      store.close?.()
      store.close?.()
      await store.update('b', () => 2)
      expect(await store.get('b')).toBe(2)
    })
  })
}

function throwsListener(run: () => void): boolean {
  try {
    run()
    return false
  } catch (error) {
    return error instanceof Error && error.message === 'listener'
  }
}
