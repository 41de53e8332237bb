import { findWriter } from './find-writer.ts'
import { memoryLineFiles } from './memory-line-files.ts'
import { openFolder } from './open-folder.ts'
import { OpfsLineFiles } from './opfs-line-files.ts'
import { StorageError } from './storage-error.ts'

/**
 * How files are written: by a sync access handle (in a dedicated worker), by a writable stream, not at all (this
 * place can only read), or only in the memory of this page or worker.
 */
export type FileTier = 'sync-access' | 'writable' | 'read-only' | 'memory'

/** What is known of a file before it is read. */
export interface LineFile {
  readonly name: string
  /** Bytes of its whole lines. */
  readonly size: number
  /** When it was last written, in milliseconds since 1970. */
  readonly changedAt: number
  /** Its first line, without the line end; empty when that is longer than 4,096 bytes. */
  readonly firstLine: string
}

/** How an operation may end early. */
export interface FileOptions {
  readonly signal?: AbortSignal | undefined
}

/**
 * Text files in one folder that grow by whole lines. An append is there as a whole or not at all: what is left of one
 * that a crash cut off has no line end; it is never read, and the next append overwrites it.
 *
 * All methods reject with a {@link StorageError}: `quota` when there is no room (what was there is still there),
 * `locked` when another tab or worker does not let go of the file in time, `unsupported` when this place cannot write.
 */
export interface LineFiles {
  /** How the next write is made. */
  readonly tier: FileTier
  /** Why the files are in memory only. */
  readonly refusal?: StorageError
  /** The files that hold at least one whole line, in no order. */
  list(): Promise<readonly LineFile[]>
  /** The whole lines of a file; undefined when there is none. */
  read(name: string): Promise<string | undefined>
  /**
   * Appends what `lines` gives, which must end with a line end. `lines` is told how many bytes are there, 0 for a new
   * file, while no other tab or worker can write; when it throws, nothing is changed and the file is not made.
   */
  append(name: string, lines: (size: number) => string, options?: FileOptions): Promise<void>
  /** Deletes a file. One that is not there is no error. */
  delete(name: string, options?: FileOptions): Promise<void>
}

/**
 * Opens a folder of line files, as {@link openFolder} does. Where the browser refuses storage they are kept in memory,
 * and `refusal` says why: one memory for each path, until the page or worker is gone.
 *
 * @param lockTimeoutMs - How long to wait for another tab or worker.
 */
export async function openLineFiles(path: string, lockTimeoutMs: number): Promise<LineFiles> {
  try {
    const folder = await openFolder(path)
    return new OpfsLineFiles(path, lockTimeoutMs, await findWriter(folder))
  } catch (error) {
    if (error instanceof StorageError) return memoryLineFiles(path, error)
    throw error
  }
}
