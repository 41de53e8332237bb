import { tool } from 'offstage'
import * as v from 'valibot'

/** What the DOM's own types say only in workers. */
interface SyncFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<{
    write(data: Uint8Array, options: { at: number }): number
    flush(): void
  }>
}

/** Writes on and on, so that a test can see whether it has really ended. */
export const writeForEver = tool({
  name: 'write_for_ever',
  description: 'Write to a file on each turn of an endless loop.',
  inputSchema: v.object({ file: v.string() }),
  parallelSafe: true,
  timeoutMs: 800,
  execute: async ({ file }) => {
    const folder = await navigator.storage.getDirectory()
    const entry = (await folder.getFileHandle(file, { create: true })) as SyncFile
    const handle = await entry.createSyncAccessHandle()
    for (let at = 0; ; at += 1) {
      handle.write(new Uint8Array(1), { at })
      handle.flush()
    }
  },
})
