import type { OpenQuestion } from './ask-person.ts'

/** The dialog, and the queue of all questions of a page that wait for it. */
export interface LoadedDialog {
  /** Puts a question in the queue. It may be settled before this returns. */
  enterQueue(question: OpenQuestion): void
  /** Takes it out when it has ended, whether it is shown or waits. */
  leaveQueue(question: OpenQuestion): void
}

let loaded: LoadedDialog | undefined
let loading: Promise<LoadedDialog> | undefined

/** The dialog, once it was fetched. */
export function loadedDialog(): LoadedDialog | undefined {
  return loaded
}

/**
 * Fetches the dialog, once for all handlers of a page. After a failure the next call tries again; some browsers
 * remember the failure until the page is loaded anew (https://github.com/whatwg/html/issues/6768).
 */
export function loadDialog(): Promise<LoadedDialog> {
  loading ??= load().catch((error) => {
    loading = undefined
    throw error
  })
  return loading
}

async function load(): Promise<LoadedDialog> {
  // Taken apart here: a bundler's own import() may give undefined where it has reported a failure.
  const { enterQueue, leaveQueue } = await import('./confirm-queue.ts')
  loaded = { enterQueue, leaveQueue }
  return loaded
}
