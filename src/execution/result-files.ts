import { type LineFiles, openLineFiles } from '../storage/line-files.ts'
import { memoryFolder, memoryLineFiles } from '../storage/memory-line-files.ts'
import { StorageError } from '../storage/storage-error.ts'
import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import type { ResultStore } from './result-store.ts'

/** How much a store of long results keeps, and for how long. */
export interface ResultStoreLimits {
  /** All that is kept, in bytes; the oldest go first. @default 33_554_432 (32 MiB) */
  readonly maxBytes?: number
  /** What is older goes when the next text comes, in milliseconds. @default 604_800_000 (seven days) */
  readonly maxAgeMs?: number
}

const folder = 'offstage/results'
const lockTimeoutMs = 2_000

/**
 * Keeps long results in the origin private file system, so that a run or a session that goes on after a reload finds
 * them; where the browser gives no file storage, in the memory of this page. All stores of an origin that are made with
 * it share the room. Nothing is opened before it is first used.
 *
 * @throws {@link ToolRegistrationError} for limits that cannot be.
 */
export function opfsResultStore(limits: ResultStoreLimits = {}): ResultStore {
  let places: Promise<readonly LineFiles[]> | undefined
  return storeIn(
    () => {
      places ??= openPlaces()
      return places
    },
    limits,
    'opfsResultStore()',
  )
}

/**
 * Keeps long results in the memory of this page, as long as this object lives: nothing of them is written to the disk,
 * and after a reload they cannot be read.
 *
 * @throws {@link ToolRegistrationError} for limits that cannot be.
 */
export function memoryResultStore(limits: ResultStoreLimits = {}): ResultStore {
  const places = Promise.resolve([memoryFolder()])
  return storeIn(() => places, limits, 'memoryResultStore()')
}

/** Where texts are kept: the best place first, and the memory where that fails. */
async function openPlaces(): Promise<readonly LineFiles[]> {
  const refusal = new StorageError(
    'There is no file storage here: long results are kept in memory.',
    'refused',
  )
  const memory = memoryLineFiles(folder, refusal)
  const files = await openLineFiles(folder, lockTimeoutMs).catch(() => memory)
  return files.tier === 'memory' ? [memory] : [files, memory]
}

function storeIn(
  open: () => Promise<readonly LineFiles[]>,
  limits: ResultStoreLimits,
  where: string,
): ResultStore {
  checkOptions(limits, ['maxBytes', 'maxAgeMs'], where)
  const { maxBytes = 33_554_432, maxAgeMs = 7 * 24 * 3_600_000 } = limits
  checkCount(maxBytes, 1, `${where}: maxBytes`)
  checkMilliseconds(maxAgeMs, 'maxAgeMs', where)
  return {
    put: async (owner, handle, text) => {
      const lines = `${JSON.stringify({ owner })}\n${JSON.stringify(text)}\n`
      const size = new TextEncoder().encode(lines).length
      if (size > maxBytes) throw tooLarge(size, maxBytes)
      let fault: unknown
      for (const files of await open()) {
        try {
          await makeRoom(files, size, maxBytes, maxAgeMs)
          await files.append(handle, () => lines)
          return
        } catch (error) {
          // No room, no right to write, or a file that somebody holds: the next place will do.
          fault = error
        }
      }
      throw fault
    },
    read: async (owner, handle) => {
      for (const files of await open()) {
        const lines = await files.read(handle).catch(() => undefined)
        if (lines === undefined) continue
        const [first = '', second = ''] = lines.split('\n')
        // Who guesses or overhears a handle of somebody else learns nothing by it.
        return ownerOf(first) === owner ? textOf(second) : undefined
      }
      return undefined
    },
    list: async (owner) => (await filesOf(owner, await open())).map(({ name }) => name),
    delete: async (owner) => {
      for (const { files, name } of await filesOf(owner, await open())) await files.delete(name)
    },
  }
}

function tooLarge(size: number, maxBytes: number): StorageError {
  return new StorageError(
    `A result of ${size} bytes does not fit into a store of ${maxBytes} bytes. Give the store more maxBytes.`,
    'quota',
  )
}

async function makeRoom(files: LineFiles, size: number, maxBytes: number, maxAgeMs: number): Promise<void> {
  const kept = (await files.list()).toSorted((one, other) => one.changedAt - other.changedAt)
  let bytes = kept.reduce((sum, file) => sum + file.size, size)
  for (const file of kept) {
    if (bytes <= maxBytes && Date.now() - file.changedAt < maxAgeMs) return
    await files.delete(file.name)
    bytes -= file.size
  }
}

async function filesOf(
  owner: string,
  places: readonly LineFiles[],
): Promise<readonly { readonly files: LineFiles; readonly name: string }[]> {
  const all = places.map(async (files) => {
    const listed = await files.list().catch(() => [])
    return listed.filter(({ firstLine }) => ownerOf(firstLine) === owner).map(({ name }) => ({ files, name }))
  })
  return (await Promise.all(all)).flat()
}

function ownerOf(line: string): unknown {
  return Object(parsed(line)).owner
}

function textOf(line: string): string | undefined {
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
