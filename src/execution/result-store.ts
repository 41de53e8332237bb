import { type LineFiles, openLineFiles } from '../storage/line-files.ts'
import { memoryLineFiles } from '../storage/memory-line-files.ts'
import { StorageError } from '../storage/storage-error.ts'

const folder = 'offstage/results'
const lockTimeoutMs = 2_000

/** All that is kept on this origin, in bytes. */
const maxBytes = 33_554_432
/** A run that nobody takes up again within that time has lost its long results. In milliseconds. */
const maxAgeMs = 7 * 24 * 3_600_000

/**
 * Keeps the texts of long results, each under a handle and for one run: in the origin private file system, so that a
 * run that is resumed after a reload finds them, else in the memory of this page. At most 32 MiB and for seven days;
 * the oldest go first.
 */
export interface ResultStore {
  /** Keeps a text; false when there is no room for it. Never rejects. */
  put(handle: string, run: string, text: string): Promise<boolean>
  /** The text of a handle, if it is one of this run. Never rejects. */
  get(handle: string, run: string): Promise<string | undefined>
  /** Whether anything is kept for a run. Never rejects. */
  has(run: string): Promise<boolean>
  /** Deletes all that is kept for a run. Never rejects. */
  forget(run: string): Promise<void>
}

let places: Promise<readonly LineFiles[]> | undefined

/** The one store of this page: its agents share the room. */
export const resultStore: ResultStore = {
  put: async (handle, run, text) => {
    const lines = `${JSON.stringify({ run })}\n${JSON.stringify(text)}\n`
    const size = new TextEncoder().encode(lines).length
    if (size > maxBytes) return false
    for (const files of await openPlaces()) {
      if (await wrote(files, handle, lines, size)) return true
    }
    return false
  },
  get: async (handle, run) => {
    for (const files of await openPlaces()) {
      const lines = await files.read(handle).catch(() => undefined)
      if (lines === undefined) continue
      const [first = '', second = ''] = lines.split('\n')
      // Who guesses or overhears a handle of another run learns nothing by it.
      return runOf(first) === run ? readText(second) : undefined
    }
    return undefined
  },
  has: async (run) => (await filesOf(run)).length > 0,
  forget: async (run) => {
    for (const { files, name } of await filesOf(run)) await files.delete(name).catch(() => {})
  },
}

/** Where texts are kept: the best place first, and the memory where that fails. */
function openPlaces(): Promise<readonly LineFiles[]> {
  places ??= openAll()
  return places
}

async function openAll(): Promise<readonly LineFiles[]> {
  const refusal = new StorageError(
    'There is no file storage here: long results are kept in memory.',
    'refused',
  )
  const memory = memoryLineFiles(folder, refusal)
  const files = await openLineFiles(folder, lockTimeoutMs).catch(() => memory)
  return files.tier === 'memory' ? [memory] : [files, memory]
}

async function wrote(files: LineFiles, handle: string, lines: string, size: number): Promise<boolean> {
  try {
    await makeRoom(files, size)
    await files.append(handle, () => lines)
    return true
  } catch {
    // No room, no right to write, or a file that somebody holds: the next place will do.
    return false
  }
}

async function makeRoom(files: LineFiles, size: number): Promise<void> {
  const kept = (await files.list()).toSorted((one, other) => one.changedAt - other.changedAt)
  let bytes = kept.reduce((sum, file) => sum + file.size, size)
  for (const file of kept) {
    if (bytes <= maxBytes && Date.now() - file.changedAt < maxAgeMs) return
    await files.delete(file.name)
    bytes -= file.size
  }
}

async function filesOf(
  run: string,
): Promise<readonly { readonly files: LineFiles; readonly name: string }[]> {
  const all = (await openPlaces()).map(async (files) => {
    const listed = await files.list().catch(() => [])
    return listed.filter(({ firstLine }) => runOf(firstLine) === run).map(({ name }) => ({ files, name }))
  })
  return (await Promise.all(all)).flat()
}

function runOf(line: string): unknown {
  return Object(parsed(line)).run
}

function readText(line: string): string | undefined {
  const text = parsed(line)
  return typeof text === 'string' ? text : undefined
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
