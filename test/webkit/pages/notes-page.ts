import { NoteStore } from 'offstage/tools'

/** What the page found and did; sent to the server that served it. */
export interface NotesReport {
  /** The notes that were there at first, with their texts. */
  readonly before: Readonly<Record<string, string | undefined>>
  readonly after: Readonly<Record<string, string | undefined>>
  /** On the page and in the worker. */
  readonly tiers: readonly unknown[]
  /** What an import of the page's own export brought back after all was deleted. */
  readonly added: readonly string[]
}

const store = new NoteStore()

async function texts(): Promise<Record<string, string | undefined>> {
  const found: Record<string, string | undefined> = {}
  for (const { path } of await store.list()) found[path] = (await store.read(path))?.text
  return found
}

function appendInWorker(path: string): Promise<unknown> {
  const worker = new Worker(new URL('./notes.worker.ts', import.meta.url), { type: 'module' })
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
    worker.postMessage(path)
  })
}

async function report(): Promise<NotesReport> {
  const before = await texts()
  await store.append('shared.md', 'from the page')
  const inWorker = await appendInWorker('shared.md')
  await Promise.all(['A.md', 'a.md', 'é/ü'].map((path) => store.append(path, path)))
  const { zip } = await store.export()
  for (const { path } of await store.list()) await store.delete(path)
  const { added } = await store.import(zip)
  return { before, after: await texts(), tiers: [(await store.storage()).tier, inWorker], added }
}

const found = await report().catch((error: unknown) => ({ error: String(error) }))
await fetch('report', { method: 'POST', body: JSON.stringify(found) })
