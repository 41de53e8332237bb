import { StorageError } from './storage-error.ts'

/**
 * Opens a folder of the origin private file system, in a page or in a worker, and makes it if it is not
 * there. `path` is relative to the root of the origin, with `/` between names.
 *
 * @throws {@link StorageError} that says why, where the browser gives no storage: an insecure page, a
 * private window, a server. The engines' own errors do not tell these apart.
 * @example const notes = await openFolder('my-app/notes')
 */
export async function openFolder(path: string): Promise<FileSystemDirectoryHandle> {
  let folder = await openRoot()
  for (const name of path.split('/').filter((part) => part !== '')) {
    folder = await folder.getDirectoryHandle(name, { create: true })
  }
  return folder
}

async function openRoot(): Promise<FileSystemDirectoryHandle> {
  if (globalThis.isSecureContext === false) {
    throw new StorageError(
      'There is no file storage here: the page is not a secure context. Serve it over https, or from localhost.',
      'insecure-context',
    )
  }
  // Missing on a server and in old browsers, whatever the DOM's types say.
  const storage = globalThis.navigator?.storage as Partial<StorageManager> | undefined
  if (typeof storage?.getDirectory !== 'function') {
    throw new StorageError(
      'There is no file storage here: no origin private file system. Call this in a current browser, in a page or a worker.',
      'unsupported',
    )
  }
  try {
    return await storage.getDirectory()
  } catch (error) {
    // Firefox rejects with SecurityError in private windows, WebKit with UnknownError.
    throw new StorageError(
      'The browser refuses file storage here, as in a private window or with site data blocked. Keep the data elsewhere, or ask the person to open a normal window.',
      'refused',
      { cause: error },
    )
  }
}
