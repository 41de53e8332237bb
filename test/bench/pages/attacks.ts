import { payloads } from '../../security/payloads.ts'
import { attacksThrough, measure } from '../../security/run-attacks.ts'
import { openWorkerDoor } from '../../security/worker-door.ts'

/** What texts that a worker tool reads make a model do that obeys every order: all payloads, for all effects. */
export async function measureWorkerAttacks(every: number): Promise<Record<string, number>> {
  const door = openWorkerDoor()
  try {
    return { ...(await measure(attacksThrough([door], payloads).filter((_, index) => index % every === 0))) }
  } finally {
    await door.close()
  }
}
