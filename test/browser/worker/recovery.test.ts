import { ToolExecutor, WorkerToolset } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { tools as checks } from './checks.worker.ts'
import { kitWorker, listenHere, openKit, startSpare, watchHere } from './kit.ts'
import type { tools } from './kit.worker.ts'

const guardMs = 15_000
const call = (name: string, input: object = {}) => ({ name, input })

/** A kit whose workers can be opened only as long as nothing is broken. */
function fragileKit(size: number) {
  const state = { broken: false, refused: 0 }
  const factory = () => {
    if (!state.broken) return kitWorker()
    state.refused += 1
    throw new TypeError('the network is gone')
  }
  const kit = new WorkerToolset<typeof tools>(factory, { size })
  onTestFinished(() => kit.close())
  const executor = new ToolExecutor({ tools: kit, timeoutMs: 400 })
  /** Opens the kit, and ends its first lane where no other worker can take over. */
  const loseALane = async () => {
    await kit.start()
    state.broken = true
    expect(await executor.execute(call('deaf'))).toMatchObject({ outcome: 'timeout', lane: 'lane-1' })
    await vi.waitFor(() => expect(state.refused).toBeGreaterThan(0), guardMs)
  }
  return { kit, executor, state, loseALane }
}

describe('a pool that cannot open its workers again', () => {
  it('says why with each call as long as no lane is left, and works once the cause is mended', async () => {
    const { kit, state, loseALane } = fragileKit(1)
    await loseALane()
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await expect(kit.call('add', { a: 1, b: 2 })).rejects.toMatchObject({
        name: 'ToolWorkerError',
        code: 'load',
        message: expect.stringMatching(/factory threw \(TypeError: the network is gone\)/),
      })
    }
    state.broken = false
    expect(await kit.call('add', { a: 1, b: 2 })).toMatchObject({ response: { text: '3' } })
  })

  it('lets all calls that wait share one try', async () => {
    const { kit, state, loseALane } = fragileKit(1)
    await loseALane()
    await kit.call('add', { a: 1, b: 2 }).catch(() => {})
    const before = state.refused
    const asked = Array.from({ length: 5 }, (_, b) => kit.call('add', { a: 1, b }).catch(() => 'refused'))
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'refused'))
    // The spare may have been tried, too.
    expect(state.refused - before).toBeLessThanOrEqual(2)
  })

  it('goes on with the lanes that are left, and opens the lost one later', async () => {
    const { kit, executor, state, loseALane } = fragileKit(2)
    await loseALane()
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ lane: 'lane-2' })
    state.broken = false
    await vi.waitFor(async () => {
      const lanes: unknown[] = []
      const onStart = ({ lane }: { readonly lane?: string }) => lanes.push(lane)
      await Promise.all([1, 2].map(() => kit.call('burn', { ms: 50 }, { onStart })))
      expect(lanes.sort()).toEqual(['lane-1', 'lane-2'])
    }, guardMs)
  })

  it('has a check wait for a busy lane when no spare can be opened, and does not try without end', async () => {
    const { heard } = listenHere()
    const { kit, state } = fragileKit(1)
    await kit.start()
    state.broken = true
    const long = kit.call('burn', { ms: 1_500, id: 'no-spare' })
    await vi.waitFor(() => expect(heard).toContain('no-spare ran'), guardMs)
    expect(await kit.preflight('add', { a: 1, b: 2 })).toMatchObject({ kind: 'ready' })
    expect(await long).toMatchObject({ kind: 'response' })
    // One try for the spare that every pool has, and one for the check.
    expect(state.refused).toBeLessThanOrEqual(2)
  })

  it('opens the serial lane with a later call', async () => {
    const { kit, state } = fragileKit(1)
    await kit.start()
    state.broken = true
    // Also the spare, which would take the place of the serial lane.
    await vi.waitFor(() => expect(state.refused).toBe(1), guardMs)
    await expect(kit.call('count', { by: 2 })).rejects.toMatchObject({ code: 'load' })
    state.broken = false
    expect(await kit.call('count', { by: 2 })).toMatchObject({ response: { text: '2' } })
  })
})

describe('the spare', () => {
  it('is replaced when a check on it does not answer, and the call beside it runs on', async () => {
    const { heard } = listenHere()
    const toolset = new WorkerToolset<typeof checks>(
      () => new Worker(new URL('./checks.worker.ts', import.meta.url), { type: 'module' }),
      { size: 1 },
    )
    onTestFinished(() => toolset.close())
    await startSpare(toolset)
    const workers = watchHere()
    const long = toolset.call('burn', { ms: 6_000, id: 'beside-the-spare' })
    await vi.waitFor(() => expect(heard).toContain('beside-the-spare ran'), guardMs)
    expect(await toolset.preflight('check_spins', {})).toEqual({ kind: 'timeout' })
    expect(await toolset.preflight('payment', { amount: 1 })).toMatchObject({ kind: 'ready' })
    expect(workers.made).toBeGreaterThanOrEqual(1)
    expect(await long).toMatchObject({ kind: 'response', response: { text: 'beside-the-spare' } })
  })

  it('is made where the browser has no requestIdleCallback, too', async () => {
    vi.stubGlobal('requestIdleCallback', undefined)
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const workers = watchHere()
    await openKit({ size: 1 }).start()
    await vi.waitFor(() => expect(workers.live).toBe(2), guardMs)
  })
})
