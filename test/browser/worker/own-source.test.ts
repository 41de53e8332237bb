import { ToolExecutor, type ToolSource, ToolWorkerError, WorkerToolset } from 'offstage'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listenHere, watchHere } from './kit.ts'

const guardMs = 10_000

const ownSource = () => new Worker(new URL('./own-source.worker.ts', import.meta.url), { type: 'module' })
const shared: ToolSource & { close(): Promise<void> } = new WorkerToolset(ownSource, { size: 1 })
afterAll(() => shared.close())

describe('a source of the app that a worker serves', () => {
  it('is asked by its own preflight whether a person must be asked, whatever the definition says', async () => {
    const { heard } = listenHere()
    const confirm = vi.fn(() => false)
    const executor = new ToolExecutor({ tools: shared, confirm })
    const [{ definition } = {}] = await shared.list()
    expect(definition).toMatchObject({ name: 'guarded', needsApproval: false })
    const refused = await executor.execute({ name: 'guarded', input: { id: 'unwanted' } })
    expect(refused).toMatchObject({ outcome: 'denied' })
    expect(confirm).toHaveBeenCalledWith(expect.objectContaining({ reasons: ['the source wants a yes'] }))
    confirm.mockReturnValue(true)
    const wanted = await executor.execute({ name: 'guarded', input: { id: 'wanted' } })
    expect(wanted).toMatchObject({ outcome: 'success', response: { text: 'wanted' } })
    await vi.waitFor(() => expect(heard).toContain('wanted ran'), guardMs)
    expect(heard).not.toContain('unwanted ran')
  })

  it('has its starts told, although it does not report them', async () => {
    const onStart = vi.fn()
    expect(await shared.call('seen_context', {}, { onStart })).toMatchObject({ kind: 'response' })
    expect(onStart).toHaveBeenCalledExactlyOnceWith({ at: expect.any(Number), lane: 'lane-1' })
  })

  it('is told the id of the call, its run and its step', async () => {
    const asked = { callId: 'call_7', runId: 'run_3', step: 2 }
    const outcome = await shared.call('seen_context', {}, asked)
    expect(outcome).toMatchObject({ kind: 'response', response: { data: asked } })
    const unasked = await shared.call('seen_context', {})
    const data = unasked.kind === 'response' ? unasked.response.data : undefined
    expect(data).toEqual({ callId: expect.stringMatching(/^call_/) })
  })

  it('costs nothing when one of its tools reports after its end', async () => {
    const { heard } = listenHere()
    const told: unknown[] = []
    const onProgress = (value: unknown) => told.push(value)
    const onLog = ({ message }: { readonly message: string }) => told.push(message)
    const outcome = await shared.call('report_late', { id: 'reporter' }, { onProgress, onLog })
    expect(outcome).toMatchObject({ kind: 'response', response: { text: 'reporter' } })
    await vi.waitFor(() => expect(heard).toContain('reporter reported late'), guardMs)
    // The port keeps its order: what was reported late has come before this answer.
    expect(await shared.call('seen_context', {})).toMatchObject({ kind: 'response' })
    expect(told).toEqual(['in time'])
  })

  it('gets the key of a report that was handed over before', async () => {
    const message =
      'report_spent: progress value cannot be cloned out of the worker ("bytes" is an ArrayBuffer); use plain data there'
    expect(await shared.call('report_spent', {})).toMatchObject({
      kind: 'crash',
      error: { code: 'uncloneable', message },
    })
  })

  it('is told to the developer when it cannot list its tools', async () => {
    const toolset = new WorkerToolset(
      () => new Worker(new URL('./rejecting-source.worker.ts', import.meta.url), { type: 'module' }),
      { size: 1 },
    )
    const error: unknown = await toolset.list().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ToolWorkerError)
    expect(error).toMatchObject({
      code: 'load',
      message: expect.stringMatching(
        /serveTools\(\) failed: RangeError: the catalogue of this source is gone/,
      ),
    })
  })
})

describe('a call that was withdrawn while a source of the app had it', () => {
  function slowStart(graceMs = 100) {
    const workers = watchHere()
    const factory = () => new Worker(new URL('./slow-start.worker.ts', import.meta.url), { type: 'module' })
    const toolset = new WorkerToolset(factory, { size: 1, graceMs })
    onTestFinished(() => toolset.close())
    /** Withdraws a call once its worker said so much of it. */
    const withdrawAfter = async (said: string, id: string, ends: boolean, checked: boolean) => {
      const { heard } = listenHere()
      const controller = new AbortController()
      const asked = toolset.call('late', { id, ends }, { signal: controller.signal, checked })
      await vi.waitFor(() => expect(heard).toContain(`${id} ${said}`), guardMs)
      controller.abort()
      expect(await asked).toEqual({ kind: 'stopped', mayHaveRun: false })
      return heard
    }
    /** Withdraws a call that is about to start, and waits until its tool ran. */
    const withdraw = async (id: string, ends: boolean) => {
      const heard = await withdrawAfter('asked', id, ends, true)
      await vi.waitFor(() => expect(heard).toContain(`${id} ran`), guardMs)
    }
    return { toolset, workers, withdraw, withdrawAfter }
  }

  it('ends its worker when it starts all the same and does not end, and another one serves', async () => {
    const { toolset, workers, withdraw } = slowStart()
    await withdraw('runs-on', false)
    await vi.waitFor(() => expect(workers.ended).toBe(1), guardMs)
    expect(await toolset.call('late', { id: 'after', ends: true })).toMatchObject({ kind: 'response' })
  })

  it('costs its worker nothing when it starts and ends in time', async () => {
    const { toolset, workers, withdraw } = slowStart(300)
    await withdraw('ends-soon', true)
    // It takes longer than the grace.
    expect(await toolset.call('late', { id: 'after', ends: true })).toMatchObject({ kind: 'response' })
    expect(workers.ended).toBe(0)
  })

  it('does not reach the source when only its check had begun', async () => {
    const { toolset, workers, withdrawAfter } = slowStart()
    const heard = await withdrawAfter('checks', 'only-checked', true, false)
    // The check of the next call ends after the one of the first.
    expect(await toolset.call('late', { id: 'after', ends: true })).toMatchObject({ kind: 'response' })
    expect(heard).not.toContain('only-checked asked')
    expect(workers.ended).toBe(0)
  })
})

describe('a pool in a worker', () => {
  it('serves as a source of that worker, and has its calls stopped', async () => {
    const { heard } = listenHere()
    const toolset = new WorkerToolset(
      () => new Worker(new URL('./nested-pool.worker.ts', import.meta.url), { type: 'module' }),
      { size: 1 },
    )
    onTestFinished(() => toolset.close())
    const executor = new ToolExecutor({ tools: toolset, timeoutMs: 3_000 })
    expect(await executor.execute({ name: 'add', input: { a: 1, b: 2 } })).toMatchObject({
      response: { text: '3' },
    })
    const spun = await executor.execute({ name: 'spin', input: { id: 'deep-spin' } })
    expect(spun).toMatchObject({ outcome: 'timeout', lane: 'lane-1' })
    await vi.waitFor(() => expect(heard).toContain('deep-spin ran'), guardMs)
    expect(await executor.execute({ name: 'add', input: { a: 2, b: 2 } })).toMatchObject({
      response: { text: '4' },
    })
  })
})
