import { once } from '../tool/once.ts'
import { within } from '../tool/time-limit.ts'
import { opfsResultStore } from './result-files.ts'
import type { ResultStore } from './result-store.ts'

/** A store that takes longer has failed, in milliseconds. */
const patienceMs = 10_000

/** A store of long results that never rejects and always answers. */
export interface SafeResultStore {
  /** False when the text is not kept. */
  put(owner: string, handle: string, text: string): Promise<boolean>
  read(owner: string, handle: string): Promise<string | undefined>
  list(owner: string): Promise<readonly string[]>
  delete(owner: string): Promise<void>
}

let usual: ResultStore | undefined

/** The store of an app, or else the one of this page, with which nothing can go wrong. */
export function safeResultStore(store: ResultStore | undefined): SafeResultStore {
  usual ??= opfsResultStore()
  return safe(store ?? usual)
}

const safe = once((store: ResultStore): SafeResultStore => {
  return {
    put: (owner, handle, text) =>
      tried(async () => {
        await store.put(owner, handle, text)
        return true
      }, false),
    read: async (owner, handle) => {
      const text: unknown = await tried(async () => store.read(owner, handle), undefined)
      return typeof text === 'string' ? text : undefined
    },
    list: async (owner) => {
      const handles: unknown = await tried(async () => store.list(owner), [])
      return Array.isArray(handles) ? handles : []
    },
    delete: (owner) => tried(async () => store.delete(owner), undefined),
  }
})

function tried<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  return within(ask(), patienceMs, otherwise).catch(() => otherwise)
}
