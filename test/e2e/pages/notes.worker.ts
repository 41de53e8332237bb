import { expose } from 'comlink'
import { NoteStore } from 'offstage/tools'

const store = new NoteStore({ lockTimeoutMs: 30_000 })

const desk = {
  append: (path: string, text: string): Promise<void> => store.append(path, text),
  tier: async (): Promise<string> => (await store.storage()).tier,
  /** From now on a write takes until this worker is ended. */
  writeForEver: (): void => {
    const { FileSystemSyncAccessHandle } = globalThis as unknown as {
      FileSystemSyncAccessHandle: { prototype: { flush(): void } }
    }
    FileSystemSyncAccessHandle.prototype.flush = () => {
      while (true);
    }
  },
}

/** What the worker of a tab does when it is asked. */
export type Desk = typeof desk

expose(desk)
