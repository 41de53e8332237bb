/**
 * Values by key, kept in one place. `indexedDBStore()` and `memoryStore()` make one; an app may bring its own.
 * Values are copied on their way in and out, as `structuredClone` does, so that nobody changes one in place.
 */
export interface KeyValueStore {
  /** The value of a key, `undefined` when there is none. */
  get(key: string): Promise<unknown>
  /**
   * Reads a value, changes it and writes it, with no other write in between: also not one of another tab.
   * `undefined` from `change` deletes the key. Resolves with what `change` gave. What `change` throws rejects this
   * and leaves all as it was. It cannot wait for anything, and may be called again when the browser failed.
   */
  update(key: string, change: (old: unknown) => unknown): Promise<unknown>
  /** All keys and their values, in the order of the keys (by UTF-16 unit). */
  entries(): Promise<readonly (readonly [key: string, value: unknown])[]>
  /** Deletes a key. One that is not there is no error. */
  delete(key: string): Promise<void>
  /** Calls the listener after each change, whoever makes it, other tabs included. Returns the way to stop that. */
  subscribe?(listener: () => void): () => void
  /** Lets go of what the browser holds open for the store. A later use opens it again. */
  close?(): void
}
