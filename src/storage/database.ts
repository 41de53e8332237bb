import { isNamed, withoutRoom } from './browser-fault.ts'
import { StorageError } from './storage-error.ts'

/** Work on the one table of a database. Gives a function that reads the result once all of it is written. */
export type TableWork<T> = (table: IDBObjectStore, abort: (reason: unknown) => void) => () => T

/** A database with one table, opened when it is first used, and again when the browser has closed it. */
export interface Database {
  /**
   * Does some work in one transaction: all of it or nothing.
   *
   * @throws {@link StorageError} where there is no storage or no room, the reason that `work` aborted with, or
   * what the browser says went wrong.
   */
  run<T>(mode: 'readonly' | 'readwrite', work: TableWork<T>): Promise<T>
  /** Closes the connection; the next work opens it again. */
  close(): void
}

const tableName = 'values'

/** A database by its name. Nothing is touched before the first work. */
export function database(name: string): Database {
  let opening: Promise<IDBDatabase> | undefined
  const open = () => {
    if (opening !== undefined) return opening
    const current = openConnection(name)
    opening = current
    // The next work tries anew.
    current.catch(() => forget(current))
    return current
  }
  const forget = (current: Promise<IDBDatabase>) => {
    if (opening === current) opening = undefined
  }
  const begin = async (mode: 'readonly' | 'readwrite') => {
    const current = open()
    try {
      return (await current).transaction(tableName, mode)
    } catch (error) {
      // Closed since it was opened: by the browser, when its data was cleared, or for somebody who waited.
      if (!isNamed(error, 'InvalidStateError')) throw error
      forget(current)
      return (await open()).transaction(tableName, mode)
    }
  }
  return {
    run: async (mode, work) => settle(await begin(mode), work),
    close: () => {
      opening?.then(
        (connection) => connection.close(),
        () => {},
      )
      opening = undefined
    },
  }
}

async function openConnection(name: string): Promise<IDBDatabase> {
  if (globalThis.isSecureContext === false) {
    throw new StorageError(
      'There is no database here: the page is not a secure context. Serve it over https, or from localhost.',
      'insecure-context',
    )
  }
  if (typeof indexedDB === 'undefined') {
    throw new StorageError(
      'There is no database here: no IndexedDB. Call this in a browser, in a page or a worker, or pass memoryStore().',
      'unsupported',
    )
  }
  const connection = await requestConnection(name).catch((error: unknown) => {
    throw withoutRoom(error) ?? refusal(error)
  })
  // Somebody deletes the database or changes its version, and waits until nobody has it open.
  connection.onversionchange = () => connection.close()
  if (connection.objectStoreNames.contains(tableName)) return connection
  connection.close()
  throw new StorageError(
    `The database "${name}" has other content: the app or another library made it. Give the store another name.`,
    'unsupported',
  )
}

function requestConnection(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(tableName)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function settle<T>(transaction: IDBTransaction, work: TableWork<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let aborted: { readonly reason: unknown } | undefined
    const abort = (reason: unknown) => {
      aborted = { reason }
      transaction.abort()
    }
    const result = work(transaction.objectStore(tableName), abort)
    transaction.oncomplete = () => resolve(result())
    transaction.onabort = () => {
      const { error } = transaction
      reject(aborted === undefined ? (withoutRoom(error) ?? error ?? interruption()) : aborted.reason)
    }
  })
}

function refusal(cause: unknown): StorageError {
  return new StorageError(
    'The browser refuses its database here, as in a private window or with site data blocked. Keep the data in memory, or ask the person to open a normal window.',
    'refused',
    { cause },
  )
}

function interruption(): StorageError {
  return new StorageError(
    'The browser closed its database in the middle of a change; nothing was changed. Try again.',
    'refused',
  )
}
