import { latePart } from '../tool/late-part.ts'
import type { OpenQuestion } from './ask-person.ts'

/** The dialog, and the queue of all questions of a page that wait for it. */
export interface LoadedDialog {
  /** Puts a question in the queue. It may be settled before this returns. */
  enterQueue(question: OpenQuestion): void
  /** Takes it out when it has ended, whether it is shown or waits. */
  leaveQueue(question: OpenQuestion): void
}

let loaded: LoadedDialog | undefined

const dialog = latePart(async (): Promise<LoadedDialog> => {
  const { enterQueue, leaveQueue } = await import('./confirm-queue.ts')
  loaded = { enterQueue, leaveQueue }
  return loaded
})

/** The dialog, once it was fetched. */
export function loadedDialog(): LoadedDialog | undefined {
  return loaded
}

/** Fetches the dialog, once for all handlers of a page, see {@link latePart}. */
export async function loadDialog(): Promise<LoadedDialog> {
  return dialog()
}
