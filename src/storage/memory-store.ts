import { changeSignal } from './change-signal.ts'
import type { KeyValueStore } from './key-value.ts'

/** A store that lasts as long as this object, for tests and where the browser gives no storage. */
export function memoryStore(): KeyValueStore {
  const values = new Map<string, unknown>()
  const changes = changeSignal()
  return {
    get: async (key) => structuredClone(values.get(key)),
    update: async (key, change) => {
      const next = change(structuredClone(values.get(key)))
      if (next === undefined) values.delete(key)
      else values.set(key, structuredClone(next))
      changes.tell()
      return next
    },
    entries: async () =>
      [...values]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, value]) => [key, structuredClone(value)] as const),
    delete: async (key) => {
      values.delete(key)
      changes.tell()
    },
    subscribe: changes.subscribe,
  }
}
