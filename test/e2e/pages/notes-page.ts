import { type Remote, wrap } from 'comlink'
import { NoteStore } from 'offstage/tools'
import type { Desk } from './notes.worker.ts'

const store = new NoteStore({ lockTimeoutMs: 30_000 })
const hasty = new NoteStore({ lockTimeoutMs: 300 })
let heard = 0
store.subscribe(() => {
  heard += 1
})

let started: Remote<Desk> | undefined

/** What a tab can do with the notes of this origin. */
const tab = {
  /** When it is first used: a strict site would have to allow it. */
  get worker(): Remote<Desk> {
    started ??= wrap<Desk>(new Worker(new URL('./notes.worker.ts', import.meta.url), { type: 'module' }))
    return started
  },
  store,
  /** Appends lines one after the other, on the page and in the worker at the same time. */
  appendMany: async (path: string, name: string, times: number): Promise<void> => {
    const one = async (place: string, append: (path: string, text: string) => Promise<void>) => {
      for (let time = 0; time < times; time += 1) await append(path, `${name} ${place} ${time}`)
    }
    await Promise.all([
      one('page', (path, text) => store.append(path, text)),
      one('worker', (path, text) => tab.worker.append(path, text)),
    ])
  },
  textOf: async (path: string): Promise<string> => (await store.read(path))?.text ?? '',
  tiers: async (): Promise<string[]> => [(await store.storage()).tier, await tab.worker.tier()],
  heard: (): number => heard,
  /** The code of the error when somebody else has the note for longer than 300 ms. */
  tryAppend: async (path: string): Promise<string> => {
    try {
      await hasty.append(path, 'hasty')
      return 'appended'
    } catch (error) {
      return String((error as { code?: unknown }).code)
    }
  },
  /** Packs all notes, deletes them, and brings them back. */
  roundTrip: async (): Promise<{ readonly lost: number; readonly added: readonly string[] }> => {
    const { zip } = await store.export()
    for (const { path } of await store.list()) await store.delete(path)
    const lost = (await store.list()).length
    return { lost, added: (await store.import(zip)).added }
  },
}

/** See {@link tab}. */
export type NotesTab = typeof tab

Object.assign(globalThis, { tab })
