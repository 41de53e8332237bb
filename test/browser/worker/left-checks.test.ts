import { type ConfirmHandler, type ExecutionEvent, ToolExecutor, WorkerToolset } from 'offstage'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { kitWorker, listenHere, watchHere } from './kit.ts'
import type { tools } from './slow-checks.worker.ts'

const guardMs = 10_000
const slowChecks = () => new Worker(new URL('./slow-checks.worker.ts', import.meta.url), { type: 'module' })
const call = (name: string, input: object = {}) => ({ name, input })

/** A pool of one lane, behind a gate that lets a single call be checked by its worker. */
function pool(confirm: ConfirmHandler = () => true, factory = slowChecks) {
  const toolset = new WorkerToolset<typeof tools>(factory, { size: 1 })
  onTestFinished(() => toolset.close())
  const asked = vi.fn(confirm)
  const events: ExecutionEvent['type'][] = []
  const executor = new ToolExecutor({
    tools: toolset,
    confirm: asked,
    onEvent: ({ type }) => events.push(type),
  })
  return { toolset, executor, asked, events }
}

describe('a call that its worker is checking', () => {
  it('does not run when it is cancelled meanwhile, and costs no worker', async () => {
    const { heard } = listenHere()
    const workers = watchHere()
    const { executor } = pool()
    const controller = new AbortController()
    const asked = executor.execute(call('checked_slowly', { id: 'dropped' }), { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('dropped checks'), guardMs)
    controller.abort()
    const result = await asked
    expect(result).toMatchObject({ outcome: 'cancelled' })
    expect(result.startedAt).toBeUndefined()
    expect(result.response.text).toMatch(/cancelled before it ran/)
    // The next check takes as long as what was left of the first.
    expect(await executor.execute(call('checked_slowly', { id: 'after-dropped' }))).toMatchObject({
      outcome: 'success',
    })
    expect(heard).not.toContain('dropped ran')
    expect(workers.ended).toBe(0)
  })

  it('is checked and run elsewhere, once, when a call of another executor costs it its worker', async () => {
    const { heard } = listenHere()
    const workers = watchHere()
    const { toolset, executor } = pool()
    await toolset.start()
    // The lane and the spare: how long a worker takes to start is no part of this.
    await vi.waitFor(() => expect(workers.live).toBe(2), guardMs)
    const checked = executor.execute(call('checked_slowly', { id: 'moved' }))
    await vi.waitFor(() => expect(heard).toContain('moved checks'), guardMs)
    const other = new ToolExecutor({ tools: toolset })
    const spun = other.execute(call('spin', { id: 'mover' }))
    expect(await checked).toMatchObject({ outcome: 'success', lane: 'lane-1', response: { text: 'moved' } })
    expect(await spun).toMatchObject({ outcome: 'timeout', lane: 'lane-1' })
    const ofMoved = () => heard.filter((text) => text.startsWith('moved'))
    await vi.waitFor(() => expect(ofMoved()).toHaveLength(3), guardMs)
    expect(ofMoved()).toEqual(['moved checks', 'moved checks', 'moved ran'])
  })

  it('ends as an error that says so when its toolset is closed, and did not run', async () => {
    const { heard } = listenHere()
    const { toolset, executor } = pool()
    const asked = executor.execute(call('checked_slowly', { id: 'closed-upon' }))
    await vi.waitFor(() => expect(heard).toContain('closed-upon checks'), guardMs)
    await toolset.close()
    const result = await asked
    expect(result).toMatchObject({ outcome: 'error', error: { code: 'closed' } })
    expect(result.response.text).not.toMatch(/may have run/)
  })

  it('answers two executors at once, each with its own result', async () => {
    const { toolset, executor } = pool()
    const other = new ToolExecutor({ tools: toolset })
    const results = await Promise.all([
      executor.execute(call('spend', { amount: 1 })),
      other.execute(call('spend', { amount: 2 })),
      executor.execute(call('spend', { amount: 2_000 })),
    ])
    expect(results.map(({ response }) => response.text)).toEqual([
      'spent 1',
      'spent 2',
      '2000 is more than there is',
    ])
  })
})

describe('a question that comes from a check in the worker', () => {
  it('is asked once when the tool asks again: then it is refused', async () => {
    const { executor, asked, events } = pool()
    const result = await executor.execute(call('ask_twice'))
    expect(result).toMatchObject({ outcome: 'denied' })
    expect(asked.mock.calls.map(([request]) => request.reasons)).toEqual([['the check asks']])
    expect(events.filter((type) => type === 'call')).toHaveLength(1)
  })

  it('has the input that the person wrote checked again, and runs that', async () => {
    const { executor, asked } = pool(() => ({ approved: true, input: { amount: 50 } }))
    const result = await executor.execute(call('spend', { amount: 500 }))
    expect(result).toMatchObject({ outcome: 'success', executedInput: { amount: 50 } })
    expect(result.response.text).toMatch(/spent 50/)
    expect(asked).toHaveBeenCalledOnce()
  })

  it.each([
    ['invalid', { amount: 'much' }],
    ['error', { amount: 5_000 }],
  ])('does not run an input of the person that is refused (%s)', async (outcome, input) => {
    const { executor, events } = pool(() => ({ approved: true, input }))
    expect(await executor.execute(call('spend', { amount: 500 }))).toMatchObject({ outcome })
    expect(events).not.toContain('call-started')
  })

  it('is void when the workers offer the tool no more once the person answers', async () => {
    let factory = slowChecks
    const { toolset, executor } = pool(
      async () => {
        factory = kitWorker
        await toolset.close()
        await toolset.start()
        return true
      },
      () => factory(),
    )
    const result = await executor.execute(call('spend', { amount: 500 }))
    expect(result).toMatchObject({ outcome: 'denied' })
    expect(result.startedAt).toBeUndefined()
  })
})
