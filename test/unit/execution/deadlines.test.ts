import { ToolExecutor, type ToolMiddleware, type ToolSource, Toolset } from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { bare, outcomesOf, simple, untilStopped, wait } from './step-kit.ts'

const spins = ['one', 'two', 'three'].map((name) => simple(name, untilStopped))

describe('deadlines of one length', () => {
  it('pass for each call that is still open, and count from its own start', async () => {
    const starts: number[] = []
    const late = simple('late', (_input: unknown, context: { readonly signal: AbortSignal }) => {
      starts.push(performance.now())
      return untilStopped(undefined, context)
    })
    const executor = new ToolExecutor({ tools: [...spins, late], timeoutMs: 60 })
    const first = executor.executeStep([bare('one'), bare('two')])
    await wait(40)
    const result = await executor.execute(bare('late'))
    const took = performance.now() - (starts[0] ?? 0)
    expect(outcomesOf([...(await first), result])).toEqual(['timeout', 'timeout', 'timeout'])
    expect(took).toBeGreaterThanOrEqual(58)
    expect(result.durationMs).toBeGreaterThanOrEqual(58)
  })

  it('do not end with the call that came first', async () => {
    const quick = simple('quick', () => 'done')
    const executor = new ToolExecutor({ tools: [quick, ...spins], timeoutMs: 30 })
    const step = [bare('quick'), bare('one'), bare('two')]
    expect(outcomesOf(await executor.executeStep(step))).toEqual(['success', 'timeout', 'timeout'])
  })

  it('count anew for a call that middleware starts again', async () => {
    let tries = 0
    const slow = simple('slow', async () => {
      tries += 1
      await wait(250)
      if (tries === 1) throw new Error('the first try')
      return 'done'
    })
    const again: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        const first = await next()
        return first.response.status === 'error' ? next() : first
      },
    }
    const executor = new ToolExecutor({ tools: [slow], middleware: [again], timeoutMs: 400 })
    expect(await executor.execute(bare('slow'))).toMatchObject({ outcome: 'success' })
    expect(tries).toBe(2)
  })

  it('leave no timer behind once all calls are over', async () => {
    vi.useFakeTimers()
    try {
      const quick = simple('quick', () => 'done')
      const executor = new ToolExecutor({ tools: [quick] })
      await executor.executeStep(Array.from({ length: 20 }, () => bare('quick')))
      expect(vi.getTimerCount()).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the signal of a call', () => {
  it('is one, is aborted for whoever looks first after the deadline, and says so', async () => {
    let seen: AbortSignal[] = []
    let looked: () => void = () => {}
    const done = new Promise<void>((resolve) => {
      looked = resolve
    })
    const deaf = simple('deaf', async (_input: unknown, context: { readonly signal: AbortSignal }) => {
      await wait(60)
      seen = [context.signal, context.signal, { ...context }.signal]
      looked()
    })
    await new ToolExecutor({ tools: [deaf], timeoutMs: 20 }).execute(bare('deaf'))
    await done
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]?.aborted).toBe(true)
    expect(seen[0]?.reason).toMatchObject({ name: 'TimeoutError', message: 'the deadline of 20 ms passed' })
  })

  it('is the one that a wrapper of the source puts in its place', async () => {
    const inner = new Toolset(spins)
    const own = new AbortController()
    const outer: ToolSource = {
      reportsStart: true,
      list: () => inner.list(),
      preflight: (name, input, options) => inner.preflight(name, input, options),
      call: (name, input, options) => inner.call(name, input, { ...options, signal: own.signal }),
    }
    const running = new ToolExecutor({ tools: outer, timeoutMs: 5_000 }).execute(bare('one'))
    await wait(20)
    own.abort(new Error('by the wrapper'))
    expect((await running).outcome).toBe('cancelled')
  })
})
