import { expose } from 'comlink'
import { NoteStore } from 'offstage/tools'
import { noteOfLine } from './note-of-line.ts'

// TypeScript's DOM library leaves out what only workers have.
declare const FileSystemSyncAccessHandle: {
  readonly prototype: {
    write(bytes: Uint8Array, options: { readonly at: number }): number
    flush(): void
  }
}

const stores = new Map<string, NoteStore>()

function storeAt(root: string): NoteStore {
  const store = stores.get(root) ?? new NoteStore({ root })
  stores.set(root, store)
  return store
}

const tried: string[] = []

/** What a worker of these tests does when it is asked. */
const desk = {
  append: (root: string, path: string, text: string): Promise<void> => storeAt(root).append(path, text),
  texts: async (root: string): Promise<Record<string, string | undefined>> => {
    const store = storeAt(root)
    const entries = await store.list()
    return Object.fromEntries(
      await Promise.all(entries.map(async ({ path }) => [path, (await store.read(path))?.text] as const)),
    )
  },
  storage: (root: string) => storeAt(root).storage(),
  /** As in an engine that does not have it. */
  takeAway: (method: string): void => {
    Reflect.deleteProperty(FileSystemFileHandle.prototype, method)
  },
  /** As in WebKitGTK, which has sync access in name only. */
  refuseSyncAccess: (): void => {
    Object.assign(FileSystemFileHandle.prototype, {
      createSyncAccessHandle(this: FileSystemFileHandle) {
        tried.push(this.name)
        return Promise.reject(new DOMException('not here', 'NotSupportedError'))
      },
    })
  },
  /** The names of the files that it was tried on. */
  triedSyncAccess: (): readonly string[] => tried,
  /** As on a disk that is full. */
  writeLess: (): void => {
    const { prototype } = FileSystemSyncAccessHandle
    const { write } = prototype
    prototype.write = function (bytes, options) {
      return write.call(this, bytes.subarray(0, bytes.length - 3), options)
    }
  },
  /** Each write takes so long, and nobody else can have the note meanwhile. */
  writeSlowly: (ms: number): void => {
    const { prototype } = FileSystemSyncAccessHandle
    const { flush } = prototype
    prototype.flush = function () {
      for (const end = performance.now() + ms; performance.now() < end; );
      flush.call(this)
    }
  },
}

/** See {@link desk}. */
export type Desk = typeof desk

/** Has a worker append until it is ended. */
export interface AppendForEver {
  readonly root: string
  readonly worker: number
}

/** Has a worker begin to write a file by a stream, and not end it. */
export interface HoldStream {
  readonly root: string
  readonly hold: string
}

/** Says that an append is done. */
export interface Appended {
  readonly line: string
}

async function holdStream({ root, hold }: HoldStream): Promise<void> {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(root)
  const stream = await (await folder.getFileHandle(hold)).createWritable({ keepExistingData: true })
  await stream.write('{"text":"half')
  postMessage('held')
}

addEventListener('message', async ({ data }: MessageEvent<AppendForEver | HoldStream | object>) => {
  if ('hold' in data) return holdStream(data)
  if (!('worker' in data)) return
  const { root, worker } = data
  const store = storeAt(root)
  for (let time = 0; ; time += 1) {
    // Of all sizes up to a few blocks of a disk, and now and then in a new note.
    const line = `${worker}-${time}:${'x'.repeat((time * 997) % 9_000)}:${worker}-${time}`
    await store.append(noteOfLine(worker, time), line)
    postMessage({ line } satisfies Appended)
  }
})

// A worker tells its page of errors, but not of promises that nobody waits for.
addEventListener('unhandledrejection', ({ reason }) => {
  setTimeout(() => {
    throw reason
  })
})

expose(desk)
