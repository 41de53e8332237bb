import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { engine } from '../engine.ts'
import { gatedKit, listenHere, watchHere } from './kit.ts'

const call = (name: string, input: object = {}) => ({ name, input })
/** A guard against hanging on a busy machine. In milliseconds. */
const guardMs = 8_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a tool that does not stop', () => {
  it('ends soon after its deadline, its worker with it, and the next call answers', async () => {
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: 600 })
    await kit.start()
    const workers = watchHere()
    const result = await executor.execute(call('spin'))
    expect(result).toMatchObject({ outcome: 'timeout', error: { code: 'timeout' }, lane: 'lane-1' })
    expect(result.response.text).toMatch(/spin was stopped: it did not finish within 600 ms/)
    expect(result.durationMs).toBeGreaterThanOrEqual(690)
    expect(result.durationMs).toBeLessThan(guardMs)
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({
      response: { text: '3' },
      lane: 'lane-1',
    })
    expect(workers.made).toBeLessThanOrEqual(2)
  })

  it('never stalls the page', async () => {
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: 1_000 })
    await kit.start()
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
    }, 20)
    onTestFinished(() => clearInterval(timer))
    await executor.execute(call('spin'))
    expect(ticks).toBeGreaterThan(10)
  })
})

// Most of what these take is waiting: at the same time.
describe.concurrent('an endless tool', () => {
  // Private windows of WebKit, the only ones that its driver opens, have no files.
  it.skipIf(engine === 'webkit')(
    'really ends: a file that it writes on each turn grows no more',
    async ({ expect, onTestFinished }) => {
      const file = `endless-${crypto.randomUUID()}.bin`
      const { executor } = gatedKit({ size: 1 }, onTestFinished)
      expect(await executor.execute(call('write_for_ever', { file }))).toMatchObject({ outcome: 'timeout' })
      const folder = await navigator.storage.getDirectory()
      onTestFinished(() => folder.removeEntry(file))
      const size = async () => (await (await folder.getFileHandle(file)).getFile()).size
      // Chromium lets a worker in a loop go on for up to 2 s after it was told to end it.
      await pause(3_000)
      const first = await size()
      await pause(500)
      expect(first).toBeGreaterThan(0)
      expect(await size()).toBe(first)
      expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
    },
  )

  it('is ended when it waits without listening, too', async ({ expect, onTestFinished }) => {
    const { executor } = gatedKit({ size: 1, timeoutMs: 300 }, onTestFinished)
    const results = await executor.executeStep([call('deaf'), call('deaf'), call('deaf')])
    expect(results.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout', 'timeout'])
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
  })

  it('is ended when the run is cancelled', async ({ expect, onTestFinished }) => {
    const { heard } = listenHere(onTestFinished)
    const { executor } = gatedKit({ size: 1 }, onTestFinished)
    const controller = new AbortController()
    const asked = executor.execute(call('spin', { id: 'cancelled-spin' }), { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('cancelled-spin ran'), guardMs)
    controller.abort()
    const result = await asked
    expect(result).toMatchObject({ outcome: 'cancelled', error: { code: 'cancelled' } })
    expect(result.response.text).toMatch(/may have run in part/)
    expect(await executor.execute(call('add', { a: 1, b: 2 }))).toMatchObject({ outcome: 'success' })
  })

  it('takes the state of its lane with it when it is not parallel-safe, and the result says so', async ({
    expect,
    onTestFinished,
  }) => {
    const { executor } = gatedKit({ size: 1, timeoutMs: 600 }, onTestFinished)
    expect(await executor.execute(call('count', { by: 5 }))).toMatchObject({ response: { text: '5' } })
    const result = await executor.execute(call('spin_alone'))
    expect(result).toMatchObject({ outcome: 'timeout', lane: 'serial' })
    expect(result.response.text).toMatch(/The state that it kept is lost/)
    expect(await executor.execute(call('count', { by: 1 }))).toMatchObject({ response: { text: '1' } })
  })
})

describe('a tool that stops when it is told', () => {
  it.each([
    ['deadline', 'TimeoutError: the deadline of 500 ms passed'],
    ['cancelled run', 'AbortError: '],
  ])('sees why in its signal (%s), and its worker lives on', async (why, reason) => {
    const { heard } = listenHere()
    const id = `told by ${why}`
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: why === 'deadline' ? 500 : 60_000 })
    await kit.start()
    const workers = watchHere()
    const controller = new AbortController()
    const asked = executor.execute(call('listen_to_signal', { ms: 0, id }), { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain(`${id} ran`), guardMs)
    if (why === 'cancelled run') controller.abort()
    expect(await asked).toMatchObject({ outcome: why === 'deadline' ? 'timeout' : 'cancelled' })
    await vi.waitFor(() =>
      expect(heard.some((text) => text.startsWith(`${id} stopped: ${reason}`))).toBe(true),
    )
    expect(workers.ended).toBe(0)
  })

  it('may take as long as graceMs says', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: 300, graceMs: 1_000 })
    await kit.start()
    const workers = watchHere()
    await executor.execute(call('listen_to_signal', { ms: 300, id: 'in-grace' }))
    await vi.waitFor(() => expect(heard.some((text) => text.startsWith('in-grace stopped'))).toBe(true))
    expect(workers.ended).toBe(0)
  })

  it('is ended when it takes longer', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: 300 })
    await kit.start()
    await executor.execute(call('listen_to_signal', { ms: 1_000, id: 'too-late' }))
    await pause(1_500)
    expect(heard.some((text) => text.startsWith('too-late stopped'))).toBe(false)
  })
})

describe('a call that waits for a lane', () => {
  it('does not lose its time: the deadline counts from the start', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1, timeoutMs: 400 })
    const long = kit.call('burn', { ms: 1_800, id: 'long-before' })
    await vi.waitFor(() => expect(heard).toContain('long-before ran'), guardMs)
    const result = await executor.execute(call('wait', { ms: 1 }))
    expect(result.outcome).toBe('success')
    expect(await long).toMatchObject({ kind: 'response' })
  })

  it('kills nothing and does not run when it is withdrawn', async () => {
    const { heard } = listenHere()
    const { executor, kit } = gatedKit({ size: 1 })
    await kit.start()
    const long = executor.execute(call('burn', { ms: 2_000, id: 'undisturbed' }))
    await vi.waitFor(() => expect(heard).toContain('undisturbed ran'), guardMs)
    const workers = watchHere()
    const controller = new AbortController()
    const waiting = executor.execute(call('wait', { ms: 1, id: 'withdrawn' }), { signal: controller.signal })
    setTimeout(() => controller.abort(), 600)
    const result = await waiting
    expect(result).toMatchObject({ outcome: 'cancelled' })
    expect(result.response.text).toMatch(/cancelled before it ran/)
    expect(result.startedAt).toBeUndefined()
    expect(await long).toMatchObject({ outcome: 'success', response: { text: 'undisturbed' } })
    await executor.execute(call('add', { a: 1, b: 2 }))
    expect(heard).not.toContain('withdrawn ran')
    expect(workers.ended).toBe(0)
  })

  it('does not run when it is withdrawn while it waits for its turn on the serial lane', async () => {
    const { executor } = gatedKit({ size: 1 })
    const slow = executor.execute(call('alone', { ms: 800 }))
    const controller = new AbortController()
    const waiting = executor.execute(call('count', { by: 100 }), { signal: controller.signal })
    setTimeout(() => controller.abort(), 100)
    expect(await waiting).toMatchObject({ outcome: 'cancelled' })
    expect(await slow).toMatchObject({ outcome: 'success' })
    expect(await executor.execute(call('count', { by: 1 }))).toMatchObject({ response: { text: '1' } })
  })
})
