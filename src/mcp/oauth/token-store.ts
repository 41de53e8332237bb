import { StorageError } from '../../storage/storage-error.ts'

/**
 * Where tokens and registrations are kept: texts by key. `memoryTokenStore()` and `sessionTokenStore()` make one; an
 * app may bring its own, which must not be shared by tabs that renew tokens at once. What runs on the page can read it:
 * a store that outlives the tab also outlives the script that an attacker got into it.
 */
export interface TokenStore {
  /** The text of a key, `undefined` when there is none. */
  get(key: string): string | undefined | Promise<string | undefined>
  set(key: string, value: string): void | Promise<void>
  /** Deletes a key. One that is not there is no error. */
  delete(key: string): void | Promise<void>
}

/** Keeps tokens as long as this object: the person signs in again when the page is loaded anew. */
export function memoryTokenStore(): TokenStore {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.set(key, value)
    },
    delete: (key) => {
      values.delete(key)
    },
  }
}

/**
 * Keeps tokens in the tab's `sessionStorage`: they survive a reload, and every script of this origin can read them.
 *
 * @throws StorageError, when it is used, where the browser gives no such storage.
 */
export function sessionTokenStore(): TokenStore {
  return {
    get: (key) => sessionArea().getItem(key) ?? undefined,
    set: (key, value) => {
      try {
        sessionArea().setItem(key, value)
      } catch (cause) {
        if (cause instanceof StorageError) throw cause
        throw new StorageError(
          'sessionStorage took no more: free some of it, or use memoryTokenStore().',
          'quota',
          { cause },
        )
      }
    },
    delete: (key) => sessionArea().removeItem(key),
  }
}

function sessionArea(): Storage {
  const refusal = 'This browser gives the page no sessionStorage: use memoryTokenStore().'
  let area: Storage | undefined
  try {
    area = globalThis.sessionStorage
  } catch (cause) {
    throw new StorageError(refusal, 'refused', { cause })
  }
  if (area === undefined) throw new StorageError(refusal, 'unsupported')
  return area
}
