import { expect, it, onTestFinished } from 'vitest'
import { payloads } from '../../security/payloads.ts'
import { attacksThrough, succeeding } from '../../security/run-attacks.ts'
import { openWorkerDoor } from '../../security/worker-door.ts'

it('a text that a worker tool reads makes a model that obeys everything do no harm without a yes', async () => {
  const door = openWorkerDoor()
  onTestFinished(() => door.close())
  // The benchmark tries all of them.
  const all = attacksThrough([door], payloads).filter((_, index) => index % 3 === 0)
  expect(await succeeding(all, {})).toEqual([])
  const some = all.filter((_, index) => index % 3 === 0)
  const harmed = await succeeding(some, { policy: 'off' })
  expect(harmed.length).toBeGreaterThanOrEqual(some.length * 0.9)
})
