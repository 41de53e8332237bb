import { theParking } from './parking.ts'
import type { ResultStore } from './result-store.ts'

/** Deletes the long results of a conversation that is over. Never rejects. */
export async function forgetResults(conversation: string, store: ResultStore | undefined): Promise<void> {
  try {
    const { safeResultStore } = await theParking()
    await safeResultStore(store).delete(conversation)
  } catch {
    // They go by their age, or when there is no more room for them.
  }
}
