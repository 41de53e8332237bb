import { type CallRequest, ToolExecutor, type ToolResult } from 'offstage'
import { expect, it } from 'vitest'
import { openKit, watchHere } from '../browser/worker/kit.ts'

const seed = 20_261_130
const rounds = 60
const callsPerRound = 20
const size = 3

/** A call, the endings that it may have, and when its caller gives up. */
interface Planned {
  readonly request: CallRequest
  readonly endings: readonly ToolResult['outcome'][]
  readonly giveUpMs?: number
}

/** Numbers from 0 to below 1 that are the same in each run (mulberry32). */
function numbers(from: number): () => number {
  let state = from
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// An innocent call may meet a kill: it runs again once, and twice in a row is told as an error. One that waits
// may also have its deadline pass while another call keeps its worker from going on.
const innocent = ['success', 'error', 'timeout'] as const

function plan(random: () => number): Planned {
  const ms = Math.floor(random() * 40)
  const kinds: readonly (() => Planned)[] = [
    () => ({ request: { name: 'add', input: { a: ms, b: 1 } }, endings: ['success', 'error'] }),
    () => ({ request: { name: 'burn', input: { ms } }, endings: innocent }),
    () => ({ request: { name: 'wait', input: { ms } }, endings: innocent }),
    () => ({ request: { name: 'wait_local', input: { ms } }, endings: innocent }),
    () => ({ request: { name: 'count', input: {} }, endings: ['success', 'error'] }),
    () => ({ request: { name: 'spin', input: {} }, endings: ['timeout', 'error'] }),
    () => ({ request: { name: 'deaf', input: {} }, endings: ['timeout', 'error'] }),
    () => ({ request: { name: 'add', input: { a: 'one' } }, endings: ['invalid'] }),
    () => ({ request: { name: 'divide', input: {} }, endings: ['unknown'] }),
    () => ({
      request: { name: 'wait', input: { ms: 2_000 } },
      endings: ['cancelled', 'error', 'timeout'],
      giveUpMs: ms,
    }),
  ]
  return (kinds[Math.floor(random() * kinds.length)] as () => Planned)()
}

it('settles every call once and as it may end, and keeps its workers, however calls, kills and aborts meet', async () => {
  const workers = watchHere()
  const random = numbers(seed)
  const results = new Map<string, number>()
  const executor = new ToolExecutor({
    tools: [openKit({ size })],
    timeoutMs: 1_000,
    onEvent: (event) => {
      if (event.type === 'result') results.set(event.callId, (results.get(event.callId) ?? 0) + 1)
    },
  })
  for (let round = 0; round < rounds; round += 1) {
    const planned = Array.from({ length: callsPerRound }, () => plan(random))
    const settled = await Promise.all(
      planned.map(({ request, giveUpMs }) => {
        const signal = giveUpMs === undefined ? undefined : AbortSignal.timeout(giveUpMs)
        return executor.execute(request, { signal })
      }),
    )
    for (const [index, result] of settled.entries()) {
      const { request, endings } = planned[index] as Planned
      expect(endings, `seed ${seed}, round ${round}: ${request.name}: ${result.response.text}`).toContain(
        result.outcome,
      )
    }
    // Lanes, the one for tools with state, and the spare.
    expect(workers.live).toBeLessThanOrEqual(size + 2)
  }
  expect(results.size).toBe(rounds * callsPerRound)
  expect(new Set(results.values())).toEqual(new Set([1]))
  const sums = await executor.executeStep(
    Array.from({ length: 20 }, (_, a) => ({ name: 'add', input: { a, b: 1 } })),
  )
  expect(sums.map(({ response }) => response.data)).toEqual(Array.from({ length: 20 }, (_, a) => a + 1))
}, 600_000)

it('replaces a worker three hundred times and loses none', async () => {
  const workers = watchHere()
  const executor = new ToolExecutor({ tools: [openKit({ size: 1 })], timeoutMs: 20 })
  const kills = 300
  for (let kill = 0; kill < kills; kill += 1) {
    expect((await executor.execute({ name: 'spin', input: {} })).outcome).toBe('timeout')
  }
  expect(workers.ended).toBeGreaterThanOrEqual(kills)
  expect(workers.live).toBeLessThanOrEqual(2)
}, 600_000)
