import { ToolExecutor } from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { say } from '../../support/worker/say.ts'
import { gatedKit, listenHere, startSpare, watchHere } from './kit.ts'

const call = (name: string, input: object = {}) => ({ name, input })
const guardMs = 20_000

describe('G11 abort() with a second tool running in the same worker', () => {
  it('G11 (1) during an awaiting tool: it sees an aborted signal, and the second tool goes on', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1 })
    await kit.start()
    const workers = watchHere()
    const controller = new AbortController()
    const second = executor.execute(call('wait_local', { ms: 1_000, id: 'second-1' }))
    const first = executor.execute(call('listen_to_signal', { ms: 0, id: 'first-1' }), {
      signal: controller.signal,
    })
    await vi.waitFor(
      () => expect(heard).toEqual(expect.arrayContaining(['first-1 ran', 'second-1 ran'])),
      guardMs,
    )
    controller.abort()
    expect(await first).toMatchObject({ outcome: 'cancelled', lane: 'lane-1' })
    // What the worker says of it may come after the result.
    await vi.waitFor(
      () => expect(heard.some((text) => text.startsWith('first-1 stopped: AbortError'))).toBe(true),
      guardMs,
    )
    expect(await second).toMatchObject({ outcome: 'success', lane: 'lane-1', response: { text: 'second-1' } })
    expect(workers.ended).toBe(0)
  })

  it('G11 (2) during a while(true) tool: its worker is ended, and the second tool gets an error that says so', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1 })
    await kit.start()
    const controller = new AbortController()
    const second = executor.execute(call('wait_local', { ms: 50_000, id: 'second-2' }))
    await vi.waitFor(() => expect(heard).toContain('second-2 ran'), guardMs)
    const first = executor.execute(call('spin', { id: 'first-2' }), { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('first-2 ran'), guardMs)
    controller.abort()
    expect(await first).toMatchObject({ outcome: 'cancelled', lane: 'lane-1' })
    const result = await second
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'worker-lost', retryable: true } })
    expect(result.response.text).toMatch(
      /worker was ended because another call on it did not stop.*may have run/,
    )
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
    expect(heard.filter((text) => text === 'second-2 ran')).toHaveLength(1)
  })

  it('G11 (2) keeps the order of the results', async () => {
    const { executor } = gatedKit({ size: 1 })
    const results = await executor.executeStep([
      call('wait_local', { ms: 50_000 }),
      call('spin_soon'),
      call('add', { a: 1, b: 2 }),
    ])
    expect(results.map(({ call: { name } }) => name)).toEqual(['wait_local', 'spin_soon', 'add'])
    expect(results.map(({ outcome }) => outcome)).toEqual(['error', 'timeout', 'success'])
  })
})

describe('an innocent call on a killed worker', () => {
  it('runs again elsewhere when it declares that it changes nothing', async () => {
    const { heard } = listenHere()
    const { executor } = gatedKit({ size: 1 })
    const results = executor.executeStep([call('wait_for_word', { id: 'again' }), call('spin_soon')])
    await vi.waitFor(() => expect(heard.filter((text) => text === 'again ran')).toHaveLength(2), guardMs)
    say('again goes on')
    const [innocent, guilty] = await results
    expect(guilty).toMatchObject({ outcome: 'timeout' })
    expect(innocent).toMatchObject({ outcome: 'success', response: { text: 'again' } })
    expect(heard.filter((text) => text === 'again ran')).toHaveLength(2)
  })

  it('runs again once and no more', async () => {
    const { heard } = listenHere()
    const { executor } = gatedKit({ size: 1 })
    const innocent = executor.execute(call('wait_for_word', { id: 'once-more' }))
    const ran = () => heard.filter((text) => text === 'once-more ran').length
    for (const times of [1, 2]) {
      await vi.waitFor(() => expect(ran()).toBe(times), guardMs)
      expect(await executor.execute(call('spin_briefly'))).toMatchObject({ outcome: 'timeout' })
    }
    const result = await innocent
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'worker-lost' } })
    expect(result.response.text).toMatch(/may have run/)
    expect(ran()).toBe(2)
  })

  it('runs for the first time elsewhere when it had not started, whatever its effect', async () => {
    const { heard } = listenHere()
    const { executor } = gatedKit({ size: 1 })
    const [guilty, innocent] = await executor.executeStep([
      call('spin_briefly'),
      call('touch', { id: 'first-time' }),
    ])
    expect(guilty).toMatchObject({ outcome: 'timeout' })
    expect(innocent).toMatchObject({ outcome: 'success', response: { text: 'first-time' } })
    await vi.waitFor(() => expect(heard.filter((text) => text === 'first-time ran')).toHaveLength(1))
  })

  it('finds a lane also when several workers are killed at once, and a second time', async () => {
    const { executor } = gatedKit({ size: 2 })
    const guilty = [1, 2, 3, 4].map(() => call('spin_briefly'))
    // Without a wait in it a call is never met half-way: it had not started, or it is done.
    const innocent = [1, 2, 3, 4].map((number) => call('add', { a: number, b: 1 }))
    const results = await executor.executeStep([...guilty, ...innocent])
    expect(results.map(({ outcome }) => outcome)).toEqual([
      ...guilty.map(() => 'timeout'),
      ...innocent.map(() => 'success'),
    ])
  })

  it('tells its new start, so that its deadline counts anew', async () => {
    // Both tries together take longer than the deadline, and the second alone far less.
    const { kit, executor, events } = gatedKit({ size: 1, timeoutMs: 5_500 })
    const others = new ToolExecutor({ tools: kit, timeoutMs: 3_000 })
    await startSpare(kit)
    const { heard } = listenHere()
    const waiting = executor.execute(call('wait', { ms: 3_500, id: 'anew' }))
    await vi.waitFor(() => expect(heard).toContain('anew ran'), guardMs)
    await others.execute(call('spin'))
    const innocent = await waiting
    expect(innocent).toMatchObject({ outcome: 'success' })
    const starts = events.filter(({ type, callId }) => type === 'call-started' && callId === innocent.call.id)
    expect(starts).toHaveLength(2)
  })
})

// Each of these waits for a limit of the pool, up to 10 s: at the same time.
describe.concurrent('what a tool leaves behind', () => {
  it('blocks its worker for no longer than a check may take', async ({ expect, onTestFinished }) => {
    const { executor } = gatedKit({ size: 1 }, onTestFinished)
    expect(await executor.execute(call('leave_loop'))).toMatchObject({ response: { text: 'left' } })
    await vi.waitFor(
      async () => {
        expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
      },
      { timeout: 30_000 },
    )
  })

  it('costs no call that was checked before: it runs on another worker', async ({
    expect,
    onTestFinished,
  }) => {
    const { heard } = listenHere(onTestFinished)
    const { kit } = gatedKit({ size: 1 }, onTestFinished)
    await kit.call('leave_loop', { id: 'left-behind' })
    await vi.waitFor(() => expect(heard).toContain('left-behind loops'), guardMs)
    const input = { ms: 1, id: 'elsewhere' }
    expect(await kit.call('wait_local', input, { checked: true })).toMatchObject({
      kind: 'response',
      response: { text: 'elsewhere' },
    })
  }, 40_000)

  it('costs the serial lane its state, and the call that meets it says so', async ({
    expect,
    onTestFinished,
  }) => {
    const { heard } = listenHere(onTestFinished)
    const { kit } = gatedKit({ size: 1 }, onTestFinished)
    await kit.call('count', { by: 5 })
    await kit.call('leave_loop_alone', { id: 'left-alone' })
    await vi.waitFor(() => expect(heard).toContain('left-alone loops'), guardMs)
    expect(await kit.call('count', { by: 1 }, { checked: true })).toMatchObject({
      kind: 'crash',
      error: {
        code: 'worker-lost',
        message: expect.stringMatching(/did not react .* state that it kept is lost/),
      },
      mayHaveRun: false,
    })
    expect(await kit.call('count', { by: 1 })).toMatchObject({ response: { data: 1 } })
  }, 40_000)

  it('does not make a call hang when the tool ended its own worker', async ({ expect, onTestFinished }) => {
    const { executor } = gatedKit({ size: 1 }, onTestFinished)
    expect(await executor.execute(call('quit'))).toMatchObject({ outcome: 'timeout' })
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
  })
})
