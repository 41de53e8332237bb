import { isNamed } from './browser-fault.ts'
import { type SyncAccessFile, type Writer, writeByStream, writeBySyncAccess } from './write-lines.ts'

/** The best way to write that this realm has, tried out in the folder; undefined when it can only read. */
export async function findWriter(folder: FileSystemDirectoryHandle): Promise<Writer | undefined> {
  const methods = typeof FileSystemFileHandle === 'undefined' ? {} : FileSystemFileHandle.prototype
  if ('createSyncAccessHandle' in methods && (await hasSyncAccess(folder))) {
    return { tier: 'sync-access', write: writeBySyncAccess }
  }
  return 'createWritable' in methods ? { tier: 'writable', write: writeByStream } : undefined
}

// WebKitGTK has the method, but it fails, and from then on that file cannot be written in any other way either.
async function hasSyncAccess(folder: FileSystemDirectoryHandle): Promise<boolean> {
  const name = `trial-${crypto.randomUUID()}`
  try {
    const file = await folder.getFileHandle(name, { create: true })
    const access = await (file as unknown as SyncAccessFile).createSyncAccessHandle()
    access.close()
    return true
  } catch (error) {
    // Anything else, such as no room, says nothing about it; a write will meet it again.
    return !isNamed(error, 'NotSupportedError')
  } finally {
    await folder.removeEntry(name).catch(() => {})
  }
}
