import { tool } from 'offstage'
import * as v from 'valibot'

/** The deadline of the endless tool, in milliseconds. */
export const deadlineMs = 1_500

/** Appends a byte to a file of the browser's own file system, again and again, and never looks at its signal. */
export const writeForever = tool({
  name: 'write_forever',
  description: 'Append to a file without an end.',
  inputSchema: v.object({ file: v.string() }),
  parallelSafe: true,
  timeoutMs: deadlineMs,
  execute: async ({ file }) => {
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle(file, { create: true })
    const access = (await (handle as SyncFileHandle).createSyncAccessHandle()) as SyncAccess
    const byte = new Uint8Array([46])
    for (let size = access.getSize(); ; size += 1) {
      access.write(byte, { at: size })
      access.flush()
    }
  },
})

/** Answers, to show that the pool lives. */
export const answer = tool({
  name: 'answer',
  description: 'Answer.',
  parallelSafe: true,
  execute: () => 'still here',
})

// TypeScript has these in its library for workers only, which does not go together with the one for pages.
interface SyncFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<unknown>
}

interface SyncAccess {
  getSize(): number
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
}
