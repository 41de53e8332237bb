import { type Readers, theParking } from './parking.ts'

/** Lets go of all long results that are kept for a run that is over. Never rejects. */
export async function forgetResults(readers: Readers, runId: string): Promise<void> {
  const reader = readers.get(runId)
  if (reader === undefined) return
  readers.delete(runId)
  try {
    const { forget } = await theParking()
    await forget(reader.owner)
  } catch {
    // They go by their age, or when there is no more room for them.
  }
}
