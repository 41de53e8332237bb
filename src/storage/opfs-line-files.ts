import { isNamed, withoutRoom } from './browser-fault.ts'
import type { FileOptions, FileTier, LineFile, LineFiles } from './line-files.ts'
import { type LockWait, waitForLock } from './locks.ts'
import { openFolder } from './open-folder.ts'
import { StorageError } from './storage-error.ts'
import { wholeLinesSize } from './whole-lines.ts'
import { untilFree, type WriteLines, type Writer } from './write-lines.ts'

const maxFirstLineBytes = 4_096

// Chromium's name for the copy that a stream writes; it stays behind when its tab is closed in mid-write.
const leftover = /\.crswap$/

/** {@link LineFiles} in the origin private file system. */
export class OpfsLineFiles implements LineFiles {
  readonly #path: string
  readonly #lockTimeoutMs: number
  readonly #writer: Writer | undefined
  readonly tier: FileTier

  constructor(path: string, lockTimeoutMs: number, writer: Writer | undefined) {
    this.#path = path
    this.#lockTimeoutMs = lockTimeoutMs
    this.#writer = writer
    this.tier = writer?.tier ?? 'read-only'
  }

  async list(): Promise<readonly LineFile[]> {
    const folder = await openFolder(this.#path)
    const names: string[] = []
    for await (const [name, { kind }] of folder.entries()) {
      if (kind === 'file' && !leftover.test(name)) names.push(name)
    }
    const files = await Promise.all(names.map((name) => this.#look(name, (file) => inspect(name, file))))
    return files.filter((file) => file !== undefined && file.size > 0) as LineFile[]
  }

  read(name: string): Promise<string | undefined> {
    return this.#look(name, async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const size = await wholeLinesSize(bytes.length, (from, to) => bytes.subarray(from, to))
      return size === 0 ? undefined : new TextDecoder().decode(bytes.subarray(0, size))
    })
  }

  async append(name: string, lines: (size: number) => string, { signal }: FileOptions = {}): Promise<void> {
    const wait = { timeoutMs: this.#lockTimeoutMs, signal }
    const write = async () => {
      if (this.#writer === undefined) throw cannotWrite()
      await appendTo(await openFolder(this.#path), name, lines, this.#writer.write, wait)
    }
    try {
      await waitForLock(this.#lockName(name), write, wait)
    } catch (error) {
      throw withoutRoom(error) ?? error
    }
  }

  async delete(name: string, { signal }: FileOptions = {}): Promise<void> {
    const wait = { timeoutMs: this.#lockTimeoutMs, signal }
    const remove = async () => {
      const folder = await openFolder(this.#path)
      try {
        await untilFree(() => folder.removeEntry(name), wait)
      } catch (error) {
        if (!isNamed(error, 'NotFoundError')) throw error
      }
    }
    await waitForLock(this.#lockName(name), remove, wait)
  }

  /** Reads a file without a lock, as appends only add; under the lock when a write came in between. */
  async #look<T>(name: string, read: (file: File) => Promise<T>): Promise<T | undefined> {
    const attempt = async () => {
      const folder = await openFolder(this.#path)
      const handle = await findFile(folder, name)
      return handle && read(await handle.getFile())
    }
    try {
      return await attempt()
    } catch {
      const wait: LockWait = { timeoutMs: this.#lockTimeoutMs }
      return await waitForLock(this.#lockName(name), attempt, wait)
    }
  }

  #lockName(name: string): string {
    return `files:${this.#path}/${name}`
  }
}

async function appendTo(
  folder: FileSystemDirectoryHandle,
  name: string,
  lines: (size: number) => string,
  write: WriteLines,
  wait: LockWait,
): Promise<void> {
  const existing = await findFile(folder, name)
  // Before the file is made: what throws here leaves nothing behind.
  const first = existing === undefined ? lines(0) : undefined
  const file = existing ?? (await folder.getFileHandle(name, { create: true }))
  try {
    await write(file, (size) => first ?? lines(size), wait)
  } catch (error) {
    if (existing === undefined) await folder.removeEntry(name).catch(() => {})
    throw error
  }
}

async function findFile(
  folder: FileSystemDirectoryHandle,
  name: string,
): Promise<FileSystemFileHandle | undefined> {
  try {
    return await folder.getFileHandle(name)
  } catch (error) {
    if (isNamed(error, 'NotFoundError')) return undefined
    throw error
  }
}

async function inspect(name: string, file: File): Promise<LineFile> {
  const read = async (from: number, to: number) => new Uint8Array(await file.slice(from, to).arrayBuffer())
  const size = await wholeLinesSize(file.size, read)
  const head = new TextDecoder().decode(await read(0, Math.min(size, maxFirstLineBytes)))
  const firstLine = head.slice(0, Math.max(0, head.indexOf('\n')))
  return { name, size, changedAt: file.lastModified, firstLine }
}

function cannotWrite(): StorageError {
  return new StorageError(
    'This browser writes files only in a worker; nothing was changed. Offer the tool from a tool worker (serveTools), or call this there.',
    'unsupported',
  )
}
