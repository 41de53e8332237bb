import { NoteStore } from 'offstage/tools'
import { expect } from 'vitest'
import { newRoot, notesWorker, openDesk } from './kit.ts'
import { noteOfLine } from './note-of-line.ts'
import type { Appended, AppendForEver } from './notes.worker.ts'

const mostDelayMs = 4
const afterwards = 'after the end'
const wholeLine = new RegExp(`^(\\d+-\\d+):x*:\\1$|^${afterwards}$`)

/**
 * Has workers append, each until it is ended at a random moment, until so many appends were acknowledged. All of these
 * must be there, each line whole and once, and appends must go on in what an ended worker left behind.
 */
export async function killStorm(appends: number, mostBetweenKills: number): Promise<void> {
  const root = newRoot()
  const store = new NoteStore({ root, lockTimeoutMs: 30_000 })
  const acknowledged: string[] = []
  for (let worker = 0; acknowledged.length < appends; worker += 1) {
    const most = Math.min(1 + Math.floor(Math.random() * mostBetweenKills), appends - acknowledged.length)
    acknowledged.push(...(await appendUntilKilled({ root, worker }, most)))
    await store.append(noteOfLine(worker, most), afterwards)
  }
  const texts = Object.values(await openDesk().texts(root))
  const lines = texts.flatMap((text = '') => text.slice(0, -1).split('\n'))
  expect(shortened(lines.filter((line) => !wholeLine.test(line)))).toEqual([])
  const kept = lines.filter((line) => line !== afterwards)
  expect(shortened(acknowledged.filter((line) => !kept.includes(line)))).toEqual([])
  expect(new Set(kept).size).toBe(kept.length)
}

/** Has a worker append; ends it a moment after so many appends. Gives the lines that it acknowledged until then. */
function appendUntilKilled(request: AppendForEver, most: number): Promise<string[]> {
  const worker = notesWorker()
  const acknowledged: string[] = []
  return new Promise((resolve, reject) => {
    worker.onerror = reject
    worker.onmessage = ({ data }: MessageEvent<Appended>) => {
      acknowledged.push(data.line)
      if (acknowledged.length !== most) return
      setTimeout(() => {
        worker.terminate()
        resolve(acknowledged)
      }, Math.random() * mostDelayMs)
    }
    worker.postMessage(request)
  })
}

// Long lines would fill the report.
function shortened(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice(0, 20))
}
