import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type SlotKind, takeSlot } from '../../../../src/mcp/connection/origin-slots.ts'

const never = new AbortController().signal
let count = 0
const newOrigin = () => `https://${++count}.test`

/** Lets all that is ready happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

function take(origin: string, kind: SlotKind, signal = never) {
  const state: { giveBack?: () => void; error?: unknown } = {}
  takeSlot(origin, kind, signal).then(
    (giveBack) => {
      state.giveBack = giveBack
    },
    (error) => {
      state.error = error
    },
  )
  return state
}

test('five requests to one origin go out, the sixth waits for the first to end', async () => {
  const origin = newOrigin()
  const slots = Array.from({ length: 6 }, () => take(origin, 'request'))
  const elsewhere = take(newOrigin(), 'request')
  await settle()
  expect(slots.map(({ giveBack }) => giveBack !== undefined)).toEqual([true, true, true, true, true, false])
  expect(elsewhere.giveBack).toBeDefined()
  slots[0]?.giveBack?.()
  slots[0]?.giveBack?.()
  const seventh = take(origin, 'request')
  await settle()
  expect(slots[5]?.giveBack).toBeDefined()
  expect(seventh.giveBack).toBeUndefined()
})

test('two streams of one origin stand, the third waits for one of them to end', async () => {
  const origin = newOrigin()
  const streams = Array.from({ length: 3 }, () => take(origin, 'standing'))
  const requests = Array.from({ length: 3 }, () => take(origin, 'request'))
  await settle()
  expect(streams.map(({ giveBack }) => giveBack !== undefined)).toEqual([true, true, false])
  expect(requests.every(({ giveBack }) => giveBack !== undefined)).toBe(true)
  streams[0]?.giveBack?.()
  await settle()
  expect(streams[2]?.giveBack).toBeDefined()
})

test('a reply never waits', async () => {
  const origin = newOrigin()
  for (let slot = 0; slot < 5; slot++) take(origin, 'request')
  const reply = take(origin, 'reply')
  await settle()
  expect(reply.giveBack).toBeDefined()
})

test('who gives up waiting takes no slot', async () => {
  const origin = newOrigin()
  const slots = Array.from({ length: 5 }, () => take(origin, 'request'))
  await settle()
  const controller = new AbortController()
  const impatient = take(origin, 'request', controller.signal)
  const patient = take(origin, 'request')
  const late = take(origin, 'request', AbortSignal.abort('late'))
  controller.abort('enough')
  slots[0]?.giveBack?.()
  await settle()
  expect(impatient).toEqual({ error: 'enough' })
  expect(late).toEqual({ error: 'late' })
  expect(patient.giveBack).toBeDefined()
})

test('whatever is taken, given back and given up, the limits hold and no free slot is left waiting for', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.constantFrom('request' as const, 'standing' as const),
      fc.record({ end: fc.nat(20) }),
      fc.record({ giveUp: fc.nat(20) }),
    ),
    { maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const origin = newOrigin()
      const taken: {
        kind: SlotKind
        slot: ReturnType<typeof take>
        stop: AbortController
        over?: boolean
      }[] = []
      for (const step of all) {
        if (typeof step === 'string') {
          const stop = new AbortController()
          taken.push({ kind: step, slot: take(origin, step, stop.signal), stop })
        } else {
          const one = taken['end' in step ? step.end : step.giveUp]
          if (one === undefined || one.over) continue
          if ('end' in step && one.slot.giveBack === undefined) continue
          if ('giveUp' in step && one.slot.giveBack !== undefined) continue
          one.over = true
          if ('end' in step) one.slot.giveBack?.()
          else one.stop.abort()
        }
        await Promise.resolve()
        await settle()
        const open = taken.filter(({ slot, over }) => slot.giveBack !== undefined && !over)
        const waiting = taken.filter(({ slot, over }) => slot.giveBack === undefined && !over)
        const standing = open.filter(({ kind }) => kind === 'standing').length
        expect(open.length).toBeLessThanOrEqual(5)
        expect(standing).toBeLessThanOrEqual(2)
        if (waiting.some(({ kind }) => kind === 'request')) expect(open.length).toBe(5)
        if (waiting.length > 0) expect(open.length === 5 || standing === 2).toBe(true)
      }
      for (const { slot, stop } of taken) {
        stop.abort()
        slot.giveBack?.()
      }
    }),
  )
})
