import { changeSignal } from './change-signal.ts'
import { database } from './database.ts'
import type { KeyValueStore } from './key-value.ts'

/**
 * A store in an IndexedDB database of this name, shared by all pages and workers of the origin. Nothing is opened
 * before it is first used, so that one can be made on a server.
 *
 * All methods reject with a `StorageError` where the browser gives no storage, or has no room left.
 *
 * @example const store = indexedDBStore('my-app-settings')
 */
export function indexedDBStore(name: string): KeyValueStore {
  const { run, close } = database(name)
  const changes = changeSignal(name)
  return {
    get: (key) =>
      run('readonly', (table) => {
        const read = table.get(key)
        return () => read.result as unknown
      }),
    update: async (key, change) => {
      const changed = await run('readwrite', (table, abort) => readChangeWrite(table, key, change, abort))
      changes.tell()
      return changed
    },
    entries: () =>
      run('readonly', (table) => {
        const keys = table.getAllKeys()
        const values = table.getAll()
        return () => keys.result.map((key, index) => [String(key), values.result[index] as unknown] as const)
      }),
    delete: async (key) => {
      await run('readwrite', (table) => {
        table.delete(key)
        return () => undefined
      })
      changes.tell()
    },
    // Without a database nobody else changes it, and an open channel would keep a server running.
    subscribe: (listener) => (typeof indexedDB === 'undefined' ? () => {} : changes.subscribe(listener)),
    close: () => {
      close()
      changes.close()
    },
  }
}

function readChangeWrite(
  table: IDBObjectStore,
  key: string,
  change: (old: unknown) => unknown,
  abort: (reason: unknown) => void,
): () => unknown {
  let next: unknown
  const read = table.get(key)
  read.onsuccess = () => {
    // An error that left this listener would be reported as one of the page.
    try {
      next = change(read.result)
      if (next === undefined) table.delete(key)
      else table.put(next, key)
    } catch (error) {
      abort(error)
    }
  }
  return () => next
}
