import type { KeyValueStore } from '../../storage/key-value.ts'
import { memoryStore } from '../../storage/memory-store.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { type PinnedServer, pinKey, readPins, type ServerPins, storePins } from './server-pins.ts'

/** Remembers the definitions of servers' tools that are trusted. */
export interface PinStore {
  /** What is pinned of a server; no tools when it was never used. */
  get(server: PinnedServer): Promise<ServerPins>
  /**
   * Changes what is pinned of a server, with no other change in between: also not one of another tab.
   * Resolves with what is pinned then. `change` cannot wait for anything, and may be called again.
   */
  update(server: PinnedServer, change: (pins: ServerPins) => ServerPins): Promise<ServerPins>
  /** The pins of all servers. */
  all(): Promise<readonly ServerPins[]>
  /** Forgets a server: its tools are trusted on first use again. */
  delete(server: PinnedServer): Promise<void>
  /** For a person: why pins are not kept beyond this page, when they are not. May change with each use. */
  note?(): string | undefined
  /** Calls the listener after each change, whoever makes it. Returns the way to stop that. */
  subscribe?(listener: () => void): () => void
  /** Lets go of what the browser holds open. A later use opens it again. */
  close?(): void
}

/** Pins in any store of values by key. Rejects as that store does. */
export function keyValuePinStore(store: KeyValueStore): PinStore {
  return {
    get: async (server) => readPins(await store.get(pinKey(server)), server),
    update: async (server, change) => {
      const stored = await store.update(pinKey(server), (old) => storePins(change(readPins(old, server))))
      return readPins(stored, server)
    },
    all: async () => {
      const entries = await store.entries()
      return entries.flatMap(([key, stored]) => {
        if (!isRecord(stored) || typeof stored.namespace !== 'string' || typeof stored.url !== 'string')
          return []
        const server = { namespace: stored.namespace, url: stored.url }
        return pinKey(server) === key ? [readPins(stored, server)] : []
      })
    },
    delete: (server) => store.delete(pinKey(server)),
    ...(store.subscribe && { subscribe: (listener) => store.subscribe?.(listener) ?? (() => {}) }),
    ...(store.close && { close: () => store.close?.() }),
  }
}

/** Pins that last as long as this object: for tests, and for apps that trust on each load anew. */
export function memoryPinStore(): PinStore {
  return keyValuePinStore(memoryStore())
}
