import { now } from '../tool/clock.ts'

/** What a key may be. */
export type CacheKey = string | number

/** Values by key, made when needed. */
export interface KeyedCache<Value> {
  /** The value of a key; who asks while it is being made waits for the same one. */
  get(key: CacheKey, make: () => Promise<Value>): Promise<Value>
  /** Forgets all values and gives them back, those that are still being made too. */
  clear(): readonly Promise<Value>[]
}

interface Entry<Value> {
  readonly value: Promise<Value>
  madeAt: number | undefined
}

/**
 * Keeps values for so many milliseconds from when they were made. With more than `maxEntries` the one that was used
 * least recently is forgotten. One whose making failed is not kept.
 */
export function keyedCache<Value>(ttlMs: number, maxEntries: number): KeyedCache<Value> {
  const entries = new Map<CacheKey, Entry<Value>>()
  const isFresh = ({ madeAt }: Entry<Value>) => madeAt === undefined || now() - madeAt < ttlMs
  const add = (key: CacheKey, value: Promise<Value>): Entry<Value> => {
    const entry: Entry<Value> = { value, madeAt: undefined }
    value.then(
      () => {
        entry.madeAt = now()
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key)
      },
    )
    return entry
  }
  return {
    get: (key, make) => {
      const known = entries.get(key)
      const entry = known !== undefined && isFresh(known) ? known : add(key, make())
      // The order of a Map is the order of use: what is used goes to the end.
      entries.delete(key)
      entries.set(key, entry)
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries) break
        entries.delete(oldest)
      }
      return entry.value
    },
    clear: () => {
      const values = Array.from(entries.values(), ({ value }) => value)
      entries.clear()
      return values
    },
  }
}
