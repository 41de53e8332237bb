import { describe, expect, it, vi } from 'vitest'
import { intervalOf, overlap } from '../../support/worker/intervals.ts'
import { gatedKit, listenHere, openKit } from './kit.ts'

const call = (name: string, input: object = {}) => ({ name, input })

describe('lanes of a WorkerToolset', () => {
  it('run CPU-bound parallel-safe calls at the same time', async () => {
    const { executor } = gatedKit({ size: 2 })
    const results = await executor.executeStep([call('burn', { ms: 400 }), call('burn', { ms: 400 })])
    expect(results.map(({ lane }) => lane).sort()).toEqual(['lane-1', 'lane-2'])
    expect(overlap(results)).toBe(true)
  })

  it('run asynchronous calls at the same time in one worker', async () => {
    const { executor } = gatedKit({ size: 1 })
    const results = await executor.executeStep([1, 2, 3, 4].map(() => call('wait', { ms: 300 })))
    expect(new Set(results.map(({ lane }) => lane))).toEqual(new Set(['lane-1']))
    expect(overlap(results)).toBe(true)
  })

  it('take the least busy worker first', async () => {
    const { executor } = gatedKit({ size: 3 })
    const results = await executor.executeStep([1, 2, 3, 4, 5, 6].map(() => call('wait', { ms: 300 })))
    const lanes = results.map(({ lane }) => lane).sort()
    expect(lanes).toEqual(['lane-1', 'lane-1', 'lane-2', 'lane-2', 'lane-3', 'lane-3'])
  })

  it('give a free worker the call while another one computes', async () => {
    const { executor } = gatedKit({ size: 2 })
    const { heard } = listenHere()
    // Both are open by now: how long a worker takes to start is no part of this.
    await executor.executeStep([call('wait', { ms: 50 }), call('wait', { ms: 50 })])
    const controller = new AbortController()
    const long = executor.execute(call('spin', { id: 'burning' }), { signal: controller.signal })
    await vi.waitFor(() => expect(heard).toContain('burning ran'), 20_000)
    const short = await executor.execute(call('add', { a: 1, b: 1 }))
    controller.abort()
    expect(await long).toMatchObject({ outcome: 'cancelled' })
    expect([short.lane, (await long).lane].sort()).toEqual(['lane-1', 'lane-2'])
  })

  it('give results in call order, whatever ends first', async () => {
    const { executor } = gatedKit({ size: 2 })
    const results = await executor.executeStep([
      call('wait', { ms: 300, id: 'first' }),
      call('wait', { ms: 1, id: 'second' }),
      call('burn', { ms: 100, id: 'third' }),
    ])
    expect(results.map(({ response }) => response.text)).toEqual(['first', 'second', 'third'])
  })

  it('keep the state of tools that are not parallel-safe on one lane of their own', async () => {
    const { executor } = gatedKit({ size: 2 })
    const results = await executor.executeStep([
      call('add', { a: 1, b: 1 }),
      call('count', { by: 2 }),
      call('count', { by: 3 }),
    ])
    expect(results.map(({ response }) => response.text)).toEqual(['2', '2', '5'])
    expect(results[1]?.lane).toBe('serial')
    expect(await executor.execute(call('count', { by: 5 }))).toMatchObject({
      response: { text: '10' },
      lane: 'serial',
    })
  })

  it('open the serial lane only when it is needed', async () => {
    const kit = openKit({ size: 1 })
    await kit.start()
    const lanes: (string | undefined)[] = []
    await kit.call('add', { a: 1, b: 1 }, { onStart: ({ lane }) => lanes.push(lane) })
    await kit.call('count', {}, { onStart: ({ lane }) => lanes.push(lane) })
    expect(lanes).toEqual(['lane-1', 'serial'])
  })

  it('run one call at a time on the serial lane, also for several askers at once', async () => {
    const { executor } = gatedKit({ size: 2 })
    const results = await Promise.all([1, 2, 3].map(() => executor.execute(call('alone', { ms: 60 }))))
    expect(results.map(({ response }) => response.text)).toEqual(['1', '1', '1'])
  })

  it('hold a call that is not parallel-safe back until the calls before it are done, and the rest behind it', async () => {
    const { executor } = gatedKit({ size: 2 })
    const [before, barrier, after] = await executor.executeStep([
      call('wait', { ms: 200 }),
      call('alone', { ms: 100 }),
      call('wait', { ms: 1 }),
    ])
    expect(intervalOf(barrier).from).toBeGreaterThanOrEqual(intervalOf(before).to - 20)
    expect(intervalOf(after).from).toBeGreaterThanOrEqual(intervalOf(barrier).to - 20)
  })

  it('keep the serial state when a parallel call is killed', async () => {
    const { executor } = gatedKit({ size: 1, timeoutMs: 1_000 })
    await executor.execute(call('count', { by: 7 }))
    expect(await executor.execute(call('spin'))).toMatchObject({ outcome: 'timeout', lane: 'lane-1' })
    expect(await executor.execute(call('count', { by: 1 }))).toMatchObject({ response: { text: '8' } })
  })

  it('tell the lane and the time of a start in the events', async () => {
    const { executor, events } = gatedKit({ size: 1 })
    const before = performance.timeOrigin + performance.now()
    await executor.execute(call('add', { a: 1, b: 2 }))
    const after = performance.timeOrigin + performance.now()
    const started = events.find(({ type }) => type === 'call-started')
    expect(started).toMatchObject({ lane: 'lane-1', input: { a: 1, b: 2 } })
    // The clock of some engines stands still for a millisecond.
    expect(started?.at).toBeGreaterThanOrEqual(before)
    expect(started?.at).toBeLessThanOrEqual(after)
  })

  it('say from inside the worker that a call ran', async () => {
    const { heard } = listenHere()
    const { executor } = gatedKit({ size: 1 })
    await executor.execute(call('wait', { ms: 1, id: 'said-once' }))
    await vi.waitFor(() => expect(heard.filter((text) => text === 'said-once ran')).toHaveLength(1))
  })
})

describe('progress and logs from a worker', () => {
  it('arrive whole, in order and before the result, 1000 events of them', async () => {
    const { executor, events } = gatedKit({ size: 1 })
    const result = await executor.execute(call('steps', { times: 1_000 }))
    expect(result.response.text).toBe('1000')
    const progress = events.flatMap((event) => (event.type === 'progress' ? [event.value] : []))
    expect(progress).toEqual(Array.from({ length: 1_000 }, (_, index) => ({ step: index + 1 })))
    expect(events.at(-1)?.type).toBe('result')
  })

  it('keep calls that run at the same time apart', async () => {
    const { executor, events } = gatedKit({ size: 1 })
    const results = await executor.executeStep([
      call('generate', { times: 5 }),
      call('generate', { times: 7 }),
    ])
    const counts = results.map(
      ({ call: { id } }) => events.filter(({ type, callId }) => type === 'progress' && callId === id).length,
    )
    expect(counts).toEqual([5, 7])
  })

  it('include what a tool logs', async () => {
    const { executor, events } = gatedKit({ size: 1 })
    await executor.execute(call('steps', { times: 3 }))
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'log', entry: { message: 'counted', data: { times: 3 } } }),
    )
  })

  it('come from each yield of an async generator, whose last value is the result', async () => {
    const { executor, events } = gatedKit({ size: 1 })
    const result = await executor.execute(call('generate', { times: 4 }))
    expect(result.response).toMatchObject({ text: '4', data: 4 })
    expect(events.flatMap((event) => (event.type === 'progress' ? [event.value] : []))).toEqual([1, 2, 3, 4])
  })
})
