import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'
import type { KeyValueStore } from '../../../src/storage/key-value.ts'
import { describeKeyValueStore } from '../../support/storage/describe-key-value-store.ts'
import type { CountRequest } from './count.worker.ts'

afterEach(() => vi.restoreAllMocks())

describeKeyValueStore('indexedDBStore', () => makeStore(newName()))

function newName(): string {
  const name = `test-${crypto.randomUUID()}`
  onTestFinished(() => {
    indexedDB.deleteDatabase(name)
  })
  return name
}

function makeStore(name: string): KeyValueStore {
  const store = indexedDBStore(name)
  onTestFinished(() => store.close?.())
  return store
}

function settled(request: IDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve()
    request.onerror = () => reject(request.error)
  })
}

const count = (old: unknown) => Number(old ?? 0) + 1

describe('two connections', () => {
  test('see each other’s values', async () => {
    const name = newName()
    const [one, other] = [makeStore(name), makeStore(name)]
    await one.update('a', () => 1)
    expect(await other.get('a')).toBe(1)
    await other.delete('a')
    expect(await one.get('a')).toBeUndefined()
  })

  test('lose no change when both change the same value', async () => {
    const name = newName()
    const stores = [makeStore(name), makeStore(name)]
    await Promise.all(stores.flatMap((store) => Array.from({ length: 50 }, () => store.update('n', count))))
    expect(await stores[0]?.get('n')).toBe(100)
  })

  test('lose no change when two workers and the page race', async () => {
    const name = newName()
    const request: CountRequest = { name, key: 'n', times: 40 }
    const workers = [0, 1].map(() => {
      const worker = new Worker(new URL('./count.worker.ts', import.meta.url), { type: 'module' })
      onTestFinished(() => worker.terminate())
      return new Promise((resolve, reject) => {
        worker.onmessage = resolve
        worker.onerror = reject
        worker.postMessage(request)
      })
    })
    const store = makeStore(name)
    for (let time = 0; time < 40; time += 1) await store.update('n', count)
    await Promise.all(workers)
    expect(await store.get('n')).toBe(120)
  })

  test('tell each other of changes', async () => {
    const name = newName()
    const [one, other, unrelated] = [makeStore(name), makeStore(name), makeStore(newName())]
    const heard = vi.fn()
    const never = vi.fn()
    const stop = other.subscribe?.(heard)
    unrelated.subscribe?.(never)
    await one.update('a', () => 1)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    await one.delete('a')
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2))
    stop?.()
    await one.update('a', () => 1)
    await other.update('a', () => 2)
    await unrelated.update('a', () => 3)
    expect(heard).toHaveBeenCalledTimes(2)
    expect(never).toHaveBeenCalledTimes(1)
  })
})

describe('a connection', () => {
  test('is not opened before the store is used, and once for many uses at once', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open')
    const store = makeStore(newName())
    expect(open).not.toHaveBeenCalled()
    await Promise.all([store.get('a'), store.update('a', () => 1), store.entries()])
    await store.get('a')
    expect(open).toHaveBeenCalledTimes(1)
  })

  test('gives way to whoever deletes the database; the store begins anew', async () => {
    const name = newName()
    const store = makeStore(name)
    await store.update('a', () => 1)
    await settled(indexedDB.deleteDatabase(name))
    expect(await store.get('a')).toBeUndefined()
    await store.update('a', () => 2)
    expect(await store.get('a')).toBe(2)
  })

  test('gives way to a later version, which is then used', async () => {
    const name = newName()
    const store = makeStore(name)
    await store.update('a', () => 1)
    const upgrade = indexedDB.open(name, 7)
    await settled(upgrade)
    upgrade.result.close()
    expect(await store.get('a')).toBe(1)
  })

  test('that the browser closed without a word is opened again, once for each use', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open')
    const store = makeStore(newName())
    await store.update('a', () => 1)
    const opened = open.mock.results[0]?.value as IDBOpenDBRequest
    opened.result.close()
    expect(await Promise.all([store.get('a'), store.entries()])).toEqual([1, [['a', 1]]])
    expect(open).toHaveBeenCalledTimes(2)
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
      throw new DOMException('closing', 'InvalidStateError')
    })
    await expect(store.get('a')).rejects.toMatchObject({ name: 'InvalidStateError' })
    expect(open).toHaveBeenCalledTimes(3)
  })

  test('that the browser closes in the middle of a change rejects, and changes nothing', async () => {
    const store = makeStore(newName())
    await store.update('a', () => 1)
    const read = IDBObjectStore.prototype.get
    const spy = vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
      this: IDBObjectStore,
      key,
    ) {
      // An abort by the browser has no error either.
      queueMicrotask(() => this.transaction.abort())
      return read.call(this, key)
    })
    await expect(store.update('a', () => 2)).rejects.toMatchObject({
      name: 'StorageError',
      message: expect.stringContaining('Try again'),
    })
    spy.mockRestore()
    expect(await store.get('a')).toBe(1)
  })
})

describe('says what is wrong', () => {
  test('when a database of that name is somebody else’s, and leaves that alone', async () => {
    const name = newName()
    const foreign = indexedDB.open(name)
    foreign.onupgradeneeded = () => foreign.result.createObjectStore('theirs')
    await settled(foreign)
    foreign.result.close()
    await expect(makeStore(name).update('a', () => 1)).rejects.toMatchObject({
      name: 'StorageError',
      code: 'unsupported',
      message: expect.stringContaining('Give the store another name'),
    })
    const again = indexedDB.open(name)
    await settled(again)
    expect([...again.result.objectStoreNames]).toEqual(['theirs'])
    again.result.close()
  })

  test('when there is no room left, and keeps what was there', async () => {
    const store = makeStore(newName())
    await store.update('a', () => 1)
    const full = new DOMException('full', 'QuotaExceededError')
    vi.spyOn(IDBTransaction.prototype, 'error', 'get').mockReturnValue(full)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
      this.transaction.abort()
      return undefined as never
    })
    await expect(store.update('a', () => 2)).rejects.toMatchObject({ code: 'quota', cause: full })
    vi.restoreAllMocks()
    expect(await store.get('a')).toBe(1)
  })
})
