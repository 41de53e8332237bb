import { indexedDBStore } from '../../storage/indexeddb-store.ts'
import { errorToData } from '../../tool/error-data.ts'
import { keyValuePinStore, memoryPinStore, type PinStore } from './pin-store.ts'
import { type PinTexts, pinTextsEn } from './pin-texts.ts'
import type { ServerPins } from './server-pins.ts'

/**
 * Pins in an IndexedDB database of this name, shared by all pages and workers of the origin. Nothing is
 * touched before the first use. Where the browser gives no storage, or does not answer, pins last as long as
 * this object: `note()` then says why, and nothing rejects, so that storage never keeps a server from being
 * used.
 *
 * @param texts - What `note()` says. @default English
 */
export function indexedDBPinStore(
  name = 'offstage-mcp-pins',
  texts: Pick<PinTexts, 'pinsNotKept'> = pinTextsEn,
): PinStore {
  return pinStoreWithFallback(keyValuePinStore(indexedDBStore(name)), patienceMs, texts)
}

/** How long the browser may take to answer, in milliseconds: some never do once a database is broken. */
const patienceMs = 5000

/** A store that goes on in memory once the given one fails; with what could be read of it. */
export function pinStoreWithFallback(
  kept: PinStore,
  timeoutMs: number = patienceMs,
  texts: Pick<PinTexts, 'pinsNotKept'> = pinTextsEn,
): PinStore {
  const memory = memoryPinStore()
  let why: string | undefined
  const fallBack = async (error: unknown) => {
    if (why !== undefined) return
    why = texts.pinsNotKept(errorToData(error).message)
    const readable = await inTime(kept.all(), timeoutMs).catch((): readonly ServerPins[] => [])
    for (const pins of readable) await memory.update(pins, () => pins)
  }
  const use = async <T>(work: (store: PinStore) => Promise<T>): Promise<T> => {
    if (why === undefined) {
      try {
        return await inTime(work(kept), timeoutMs)
      } catch (error) {
        falling ??= fallBack(error)
      }
    }
    // All that was asked at once waits until memory holds what there was.
    await falling
    return work(memory)
  }
  let falling: Promise<void> | undefined
  return {
    get: (server) => use((store) => store.get(server)),
    update: (server, change) => use((store) => store.update(server, change)),
    all: () => use((store) => store.all()),
    delete: (server) => use((store) => store.delete(server)),
    note: () => why,
    subscribe: (listener) => {
      const stops = [kept.subscribe?.(listener), memory.subscribe?.(listener)]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
    close: () => kept.close?.(),
  }
}

function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The browser's storage did not answer in ${timeoutMs} ms.`)),
      timeoutMs,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
