import { isNamed, noRoom } from './browser-fault.ts'
import { type LockWait, lockedError } from './locks.ts'
import { wholeLinesSize } from './whole-lines.ts'

/** Appends to a file, behind its whole lines. When it fails, these are as they were. */
export type WriteLines = (
  file: FileSystemFileHandle,
  lines: (size: number) => string,
  wait: LockWait,
) => Promise<void>

/** One way to write. */
export interface Writer {
  readonly tier: 'sync-access' | 'writable'
  readonly write: WriteLines
}

/** A file as workers have it: TypeScript's DOM library leaves that out. */
export interface SyncAccessFile {
  createSyncAccessHandle(): Promise<SyncAccess>
}

interface SyncAccess {
  getSize(): number
  read(into: Uint8Array, options: { readonly at: number }): number
  write(bytes: Uint8Array, options: { readonly at: number }): number
  truncate(size: number): void
  flush(): void
  close(): void
}

const retryMs = 20

/** Writes with a sync access handle, which only dedicated workers have. */
export const writeBySyncAccess: WriteLines = async (file, lines, wait) => {
  const handle = file as unknown as SyncAccessFile
  const access = await untilFree(() => handle.createSyncAccessHandle(), wait)
  try {
    const size = access.getSize()
    const start = await wholeLinesSize(size, (from, to) => {
      const bytes = new Uint8Array(to - from)
      access.read(bytes, { at: from })
      return bytes
    })
    const bytes = new TextEncoder().encode(lines(start))
    try {
      if (start < size) access.truncate(start)
      const written = access.write(bytes, { at: start })
      // No error, but a full disk may end a write early.
      if (written !== bytes.length) throw noRoom(`${written} of ${bytes.length} bytes were written`)
      access.flush()
    } catch (error) {
      undo(access, start)
      throw error
    }
  } finally {
    access.close()
  }
}

/** Writes with a stream, which keeps what it writes in a copy until it is closed. */
export const writeByStream: WriteLines = async (file, lines, wait) => {
  const old = await file.getFile()
  const start = await wholeLinesSize(old.size, async (from, to) => {
    return new Uint8Array(await old.slice(from, to).arrayBuffer())
  })
  const bytes = new TextEncoder().encode(lines(start))
  const stream = await untilFree(() => file.createWritable({ keepExistingData: true }), wait)
  try {
    if (start < old.size) await stream.truncate(start)
    await stream.write({ type: 'write', position: start, data: bytes })
    await stream.close()
  } catch (error) {
    await stream.abort().catch(() => {})
    throw error
  }
}

function undo(access: SyncAccess, size: number): void {
  try {
    access.truncate(size)
    access.flush()
  } catch {
    // What stays behind has no line end, and is not read.
  }
}

/** Tries again while the browser says that somebody has the file open: a worker that was ended just now. */
export async function untilFree<T>(open: () => Promise<T>, { timeoutMs, signal }: LockWait): Promise<T> {
  for (const end = performance.now() + timeoutMs; ; ) {
    signal?.throwIfAborted()
    try {
      return await open()
    } catch (error) {
      if (!isNamed(error, 'NoModificationAllowedError')) throw error
      if (performance.now() >= end) throw lockedError(timeoutMs, error)
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}
