import { type Remote, wrap } from 'comlink'
import { onTestFinished } from 'vitest'
import type { Desk } from './notes.worker.ts'

/** Makes a worker of notes.worker.ts. */
export function notesWorker(): Worker {
  return new Worker(new URL('./notes.worker.ts', import.meta.url), { type: 'module' })
}

/** A worker that is ended with the test. */
export function openDesk(): Remote<Desk> {
  const worker = notesWorker()
  onTestFinished(() => worker.terminate())
  return wrap<Desk>(worker)
}

/** A root that no other test has, unless it is named; the folder is gone after the test. */
export function newRoot(root = `notes-${crypto.randomUUID()}`): string {
  onTestFinished(async () => {
    const folder = await navigator.storage.getDirectory().catch(() => undefined)
    // A worker that was ended just now may still have a file open.
    await folder?.removeEntry(root, { recursive: true }).catch(() => {})
  })
  return root
}

/** The folder of a root. */
export async function folderOf(root: string): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(root, { create: true })
}

/** The names of the files that really lie there. */
export async function filesIn(root: string): Promise<string[]> {
  const names: string[] = []
  for await (const name of (await folderOf(root)).keys()) names.push(name)
  return names
}
