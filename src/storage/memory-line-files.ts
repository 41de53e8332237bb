import type { LineFiles } from './line-files.ts'
import type { StorageError } from './storage-error.ts'

interface MemoryFile {
  readonly text: string
  readonly size: number
  readonly changedAt: number
}

// By path: all who open a folder in this realm find the same files, as they would in storage.
const folders = new Map<string, LineFiles>()

/** {@link LineFiles} that last as long as this page or worker. */
export function memoryLineFiles(path: string, refusal: StorageError): LineFiles {
  const files = folders.get(path) ?? memoryFolder()
  folders.set(path, files)
  return { ...files, refusal }
}

/** {@link LineFiles} that nobody else finds, and that last as long as this object. */
export function memoryFolder(): LineFiles {
  const files = new Map<string, MemoryFile>()
  return {
    tier: 'memory',
    list: async () =>
      [...files].map(([name, { text, size, changedAt }]) => {
        return { name, size, changedAt, firstLine: text.slice(0, text.indexOf('\n')) }
      }),
    read: async (name) => files.get(name)?.text,
    append: async (name, lines, { signal } = {}) => {
      signal?.throwIfAborted()
      const { text, size } = files.get(name) ?? { text: '', size: 0 }
      const added = lines(size)
      const addedSize = new TextEncoder().encode(added).length
      files.set(name, { text: text + added, size: size + addedSize, changedAt: Date.now() })
    },
    delete: async (name) => {
      files.delete(name)
    },
  }
}
