import { StorageError } from './storage-error.ts'

/** Whether the browser failed with an error of this name. */
export function isNamed(error: unknown, name: string): boolean {
  return error instanceof DOMException && error.name === name
}

/** Says that there is no room, when that is what the browser failed with; undefined otherwise. */
export function withoutRoom(error: unknown): StorageError | undefined {
  // Engines disagree on its class: DOMException in some, a class of its own in others.
  if ((error as { readonly name?: unknown } | null)?.name !== 'QuotaExceededError') return undefined
  return noRoom(error)
}

/** Says that there is no room. */
export function noRoom(cause: unknown): StorageError {
  return new StorageError(
    'There is no room left in the storage of this site; nothing was changed. Delete what is no longer needed, or ask the person to free space.',
    'quota',
    { cause },
  )
}
