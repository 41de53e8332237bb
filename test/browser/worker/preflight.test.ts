import { type ConfirmHandler, ToolExecutor, WorkerToolset } from 'offstage'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { overlap } from '../../support/worker/intervals.ts'
import type { tools } from './checks.worker.ts'
import { listenHere, patientMs, startSpare } from './kit.ts'

const checksWorker = () => new Worker(new URL('./checks.worker.ts', import.meta.url), { type: 'module' })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const shared = new WorkerToolset<typeof tools>(checksWorker, { size: 2, readyTimeoutMs: patientMs })
afterAll(() => shared.close())

function gated(toolset = shared) {
  const confirm = vi.fn<ConfirmHandler>(() => true)
  const executor = new ToolExecutor({ tools: toolset, confirm })
  return { confirm, run: (name: string, input: object = {}) => executor.execute({ name, input }), executor }
}

/** A pool that is closed when the test ends. Tests that run at the same time pass the callback of their context. */
function ownPool(size: number, whenFinished: (end: () => Promise<void>) => void = onTestFinished) {
  const toolset = new WorkerToolset<typeof tools>(checksWorker, { size, readyTimeoutMs: patientMs })
  whenFinished(() => toolset.close())
  return { toolset, ...gated(toolset) }
}

describe('a call that is looked at in its worker', () => {
  it('is checked by the schema there', async () => {
    const { run, confirm } = gated()
    const result = await run('payment', { amount: 'ten' })
    expect(result).toMatchObject({ outcome: 'invalid', error: { issues: [{ path: 'amount' }] } })
    expect(confirm).not.toHaveBeenCalled()
  })

  it('is shown with its defaults and without its unknown keys, frozen', async () => {
    const { run, confirm } = gated()
    const result = await run('payment', { amount: 101, note: 'hello' })
    expect(result).toMatchObject({ outcome: 'success', droppedKeys: ['note'] })
    const [request] = confirm.mock.calls[0] ?? []
    expect(request?.input).toEqual({ amount: 101, account: 'main' })
    expect(Object.isFrozen(request?.input)).toBe(true)
  })

  it('needs a yes where needsApproval says so for its input, and only there', async () => {
    const { run, confirm } = gated()
    expect((await run('payment', { amount: 5 })).response.text).toBe('paid 5')
    expect(confirm).not.toHaveBeenCalled()
    expect((await run('payment', { amount: 500 })).response.text).toBe('paid 500')
    expect(confirm).toHaveBeenCalledOnce()
  })

  it('needs a yes when needsApproval is silent for 2 s', async () => {
    const { run, confirm } = gated()
    expect(await run('approval_is_silent')).toMatchObject({ outcome: 'success' })
    expect(confirm).toHaveBeenCalledOnce()
  })

  it('is asked about with the reason that its check gives', async () => {
    const { run, confirm } = gated()
    expect(await run('checked', { so: 'ask' })).toMatchObject({ outcome: 'success' })
    expect(confirm.mock.calls[0]?.[0].reasons).toEqual(['the check wants a yes'])
  })

  it.each([
    ['retry', 'invalid', 'model-retry', /take another one/],
    ['fail', 'error', 'tool-failed', /there is none/],
    ['throw', 'error', 'tool-threw', /RangeError: the check is broken/],
  ])('ends as its check decides: %s', async (so, outcome, code, text) => {
    const { run, confirm } = gated()
    const result = await run('checked', { so })
    expect(result).toMatchObject({ outcome, error: { code } })
    expect(result.response.text).toMatch(text)
    expect(confirm).not.toHaveBeenCalled()
  })

  it('waits for calls with the same concurrencyKey only', async () => {
    const { executor } = gated()
    const pay = (account: string) => ({ name: 'payment', input: { amount: 1, account } })
    const results = await executor.executeStep([pay('a'), pay('a'), pay('b')])
    expect(overlap([results[0], results[1]])).toBe(false)
    expect(overlap([results[0], results[2]])).toBe(true)
  })

  it('carries the labels of its input', async () => {
    expect(await shared.preflight('payment', { amount: 5 })).toMatchObject({ labels: { effect: 'none' } })
    expect(await shared.preflight('payment', { amount: 500 })).toMatchObject({
      labels: { effect: 'external' },
    })
  })

  it('does not start its tool', async () => {
    const onStart = vi.fn()
    await shared.preflight('payment', { amount: 5 }, { onStart })
    expect(onStart).not.toHaveBeenCalled()
  })
})

// Each of these waits for the 3 s of a check: at the same time.
describe.concurrent('a check that does not answer', () => {
  it.for(['check_spins', 'check_is_silent', 'approval_spins'])(
    'ends as timeout after about 3 s, and nobody is asked (%s)',
    async (name, { expect, onTestFinished }) => {
      const { heard } = listenHere(onTestFinished)
      const { run, confirm, toolset } = ownPool(1, onTestFinished)
      await toolset.start()
      const before = performance.now()
      const result = await run(name, { id: name })
      const tookMs = performance.now() - before
      expect(result).toMatchObject({ outcome: 'timeout', error: { code: 'timeout' } })
      expect(result.response.text).toMatch(/checking its arguments did not finish in time/)
      expect(tookMs).toBeGreaterThanOrEqual(2_900)
      expect(tookMs).toBeLessThan(8_000)
      expect(confirm).not.toHaveBeenCalled()
      expect(heard).not.toContain(`${name} ran`)
      expect(await run('payment', { amount: 1 })).toMatchObject({ outcome: 'success' })
    },
  )

  it('hears from its signal that it is late', async ({ expect, onTestFinished }) => {
    const { heard } = listenHere(onTestFinished)
    const { toolset, run } = ownPool(1, onTestFinished)
    const checked = run('check_is_silent', { id: 'late-check' })
    let isOver = false
    void checked.then(() => {
      isOver = true
    })
    // What the worker answers meanwhile shows the pool that it lives, also where its 3 s take longer than here.
    while (!isOver) await Promise.all([toolset.preflight('payment', { amount: 1 }), pause(200)])
    await vi.waitFor(() => expect(heard).toContain('late-check was told: TimeoutError'))
  })

  it('hears from its signal that its run was cancelled', async ({ expect, onTestFinished }) => {
    const { heard } = listenHere(onTestFinished)
    const controller = new AbortController()
    const { executor } = ownPool(1, onTestFinished)
    const call = { name: 'check_is_silent', input: { id: 'cancelled-check' } }
    const asked = executor.execute(call, { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('cancelled-check checks'), 10_000)
    controller.abort()
    expect(await asked).toMatchObject({ outcome: 'cancelled' })
    await vi.waitFor(() => expect(heard).toContain('cancelled-check was told: AbortError'))
  })
})

describe('checks that do not answer', () => {
  it('leave other calls of their step unaffected', async () => {
    const { executor } = ownPool(2)
    const results = await executor.executeStep([
      { name: 'check_spins', input: {} },
      { name: 'payment', input: { amount: 1 } },
      { name: 'payment', input: { amount: 2, account: 'other' } },
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual(['timeout', 'success', 'success'])
  })

  it('end as timeout for each of several at once', async () => {
    const { executor } = ownPool(2)
    const names = ['check_spins', 'check_is_silent', 'check_spins', 'check_is_silent', 'check_spins']
    const results = await executor.executeStep([
      ...names.map((name) => ({ name, input: {} })),
      { name: 'payment', input: { amount: 1 } },
    ])
    expect(results.map(({ outcome }) => outcome)).toEqual([...names.map(() => 'timeout'), 'success'])
  })

  it('leave a call that runs on the same worker its own time', async () => {
    const { heard } = listenHere()
    const { toolset, executor } = ownPool(1)
    const asked = toolset.preflight('check_is_silent', { id: 'beside' })
    await toolset.list()
    const long = executor.execute({ name: 'burn', input: { ms: 4_500, id: 'burning-beside' } })
    await vi.waitFor(() => expect(heard).toContain('burning-beside ran'), 10_000)
    expect(await asked).toEqual({ kind: 'timeout' })
    expect(await long).toMatchObject({ outcome: 'success', response: { text: 'burning-beside' } })
  })
})

describe('while every lane runs a call', () => {
  it('the next call is looked at by an idle worker', async () => {
    const { heard } = listenHere()
    const { toolset, run } = ownPool(1)
    await startSpare(toolset)
    const long = run('burn', { ms: 3_000, id: 'busy-lane' })
    await vi.waitFor(() => expect(heard).toContain('busy-lane ran'), 10_000)
    expect(await toolset.preflight('payment', { amount: 1 })).toMatchObject({ kind: 'ready' })
    const answeredMs = performance.now()
    const result = await long
    expect(result).toMatchObject({ outcome: 'success', lane: 'lane-1' })
    expect(performance.timeOrigin + answeredMs).toBeLessThan(
      (result.startedAt ?? 0) + (result.durationMs ?? 0),
    )
  })
})

describe('a check on the lane that keeps the state', () => {
  it('sees that state', async () => {
    const { run } = ownPool(1)
    expect((await run('keep', { by: 8 })).response.text).toBe('8')
    expect((await run('keep', { by: 8 })).response.text).toBe('there are 8 already')
  })

  it('says that the state is lost when it had to be ended', async () => {
    const { run } = ownPool(1)
    expect((await run('keep', { by: 8 })).response.text).toBe('8')
    const result = await run('keep', { by: -1 })
    expect(result).toMatchObject({ outcome: 'timeout' })
    expect(result.response.text).toMatch(/The state that it kept is lost/)
    expect((await run('keep', { by: 8 })).response.text).toBe('8')
  })
})
