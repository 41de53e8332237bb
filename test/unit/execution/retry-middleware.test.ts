import '../../support/valid-histories.ts'
import {
  Agent,
  ModelRetry,
  ToolError,
  ToolExecutor,
  ToolFailed,
  type ToolMiddleware,
  ToolResponse,
  tool,
} from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { type RetryOptions, retryMiddleware } from '../../../src/execution/retry-middleware.ts'
import { bare, simple, untilStopped } from './step-kit.ts'

/** A tool that does one thing after the other, and then the last one again. */
function acting(name: string, acts: readonly (() => unknown)[], options = {}) {
  let turn = 0
  const execute = vi.fn(() => acts[Math.min(turn++, acts.length - 1)]?.())
  return { execute, tool: simple(name, execute, { effect: 'none', ...options }) }
}

const fails = (error: unknown) => () => {
  throw error
}
const network = fails(new TypeError('Failed to fetch'))

describe('retryMiddleware()', () => {
  async function run(acts: readonly (() => unknown)[], options: RetryOptions = {}, toolOptions = {}) {
    const { execute, tool } = acting('flaky', acts, toolOptions)
    const middleware = [retryMiddleware({ baseDelayMs: 1, ...options })]
    const result = await new ToolExecutor({ tools: [tool], middleware }).execute(bare('flaky'))
    return { result, runs: execute.mock.calls.length }
  }

  it('makes a call again that failed, and gives its last ending', async () => {
    expect(await run([network, () => 'ok'])).toMatchObject({ result: { outcome: 'success' }, runs: 2 })
    const lasting = await run([network])
    expect(lasting).toMatchObject({ runs: 3, result: { outcome: 'error' } })
    expect(lasting.result.response.text).toContain('Failed to fetch')
    expect((await run([network], { attempts: 1 })).runs).toBe(1)
    expect((await run([network], { attempts: 5 })).runs).toBe(5)
  })

  it.each(['local', 'external', 'destructive'])('never repeats a call whose effect is %s', async (effect) => {
    expect(await run([network, () => 'ok'], { retryIf: () => true }, { effect })).toMatchObject({
      runs: 1,
      result: { outcome: 'error' },
    })
  })

  it('goes by the effect of this very input, also when middleware further in changed it', async () => {
    const execute = vi.fn(network)
    const pay = tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: v.object({ amount: v.number() }),
      effect: ({ amount }) => (amount > 0 ? 'external' : 'none'),
      execute,
    })
    const runs = async (amount: number, inner: readonly ToolMiddleware[] = []) => {
      execute.mockClear()
      const middleware = [retryMiddleware({ baseDelayMs: 1 }), ...inner]
      await new ToolExecutor({ tools: [pay], middleware }).execute({ name: 'pay', input: { amount } })
      return execute.mock.calls.length
    }
    expect(await runs(0)).toBe(3)
    expect(await runs(5)).toBe(1)
    expect(await runs(0, [{ wrap: (_call, _context, next) => next({ amount: 5 }) }])).toBe(1)
  })

  it.each([
    ['asks for another try', fails(new ModelRetry('with a date'))],
    ['failed for good', fails(new ToolFailed('no such city'))],
    ['answers that it failed', () => ToolResponse.error('no such city')],
    ['throws an error that says so by its code', fails(new ToolError('no', { code: 'not-allowed' }))],
    ['succeeds', () => 'ok'],
    ['has half an answer', () => ToolResponse.partial('half')],
  ])('leaves a call alone whose tool %s', async (_what, act) => {
    expect((await run([act])).runs).toBe(1)
  })

  it('repeats what an error says is retryable, whatever its code', async () => {
    expect((await run([fails(new ToolError('busy', { code: 'tool-failed', retryable: true }))])).runs).toBe(3)
  })

  it('repeats a call that passed its deadline', async () => {
    let turn = 0
    const slow = simple(
      'slow',
      (input: unknown, context: { signal: AbortSignal }) =>
        turn++ === 0 ? untilStopped(input, context) : 'ok',
      { effect: 'none', timeoutMs: 20 },
    )
    const middleware = [retryMiddleware({ baseDelayMs: 1 })]
    expect(await new ToolExecutor({ tools: [slow], middleware }).execute(bare('slow'))).toMatchObject({
      outcome: 'success',
    })
  })

  it('repeats what retryIf says, and only the tools that it is told', async () => {
    const retryIf = vi.fn(async () => true)
    expect((await run([() => ToolResponse.error('no')], { retryIf })).runs).toBe(3)
    expect(retryIf.mock.calls[0]).toMatchObject([{ outcome: 'error' }, { name: 'flaky' }])
    expect((await run([network], { retryIf: () => false })).runs).toBe(1)
    expect((await run([network], { tools: ['other'] })).runs).toBe(1)
    expect((await run([network], { tools: ['flaky'] })).runs).toBe(3)
    expect((await run([network], { tools: ({ parallelSafe }) => !parallelSafe })).runs).toBe(1)
  })

  it('waits at random, for up to twice as long each time, and never longer than it is told', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const timers = vi.spyOn(globalThis, 'setTimeout')
    try {
      await run([network], { attempts: 6, baseDelayMs: 2, maxDelayMs: 12 })
      expect(timers.mock.calls.map(([, ms]) => ms).filter((ms) => ms !== undefined && ms < 100)).toEqual([
        ...[1, 2, 4, 6, 6],
      ])
    } finally {
      random.mockRestore()
      timers.mockRestore()
    }
  })

  it('does not wait for so long that it counts as hanging', async () => {
    const options = { attempts: 4, baseDelayMs: 10_000, maxDelayMs: 10_000 }
    const { result, runs } = await run([network], options, { timeoutMs: 40 })
    expect([runs, result.outcome]).toEqual([4, 'error'])
  })

  it('ends its wait with the signal, and leaves no timer behind', async () => {
    const abort = new AbortController()
    const { execute, tool } = acting('flaky', [network])
    const retryIf = () => {
      setTimeout(() => abort.abort(), 5)
      return true
    }
    const middleware = [retryMiddleware({ baseDelayMs: 60_000, maxDelayMs: 60_000, attempts: 9, retryIf })]
    const [timers, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
    vi.spyOn(Math, 'random').mockReturnValueOnce(0.4)
    try {
      const executor = new ToolExecutor({ tools: [tool], middleware, timeoutMs: 600_000 })
      const result = await executor.execute(bare('flaky'), { signal: abort.signal })
      expect(result.outcome).toBe('cancelled')
      expect(execute).toHaveBeenCalledOnce()
      const wait = timers.mock.calls.findIndex(([, ms]) => ms === 24_000)
      await vi.waitFor(() => expect(cleared).toHaveBeenCalledWith(timers.mock.results[wait]?.value))
    } finally {
      vi.restoreAllMocks()
    }
  })

  it('does not wait at all once the signal has aborted', async () => {
    const abort = new AbortController()
    const { execute, tool } = acting('flaky', [network])
    const retryIf = () => {
      abort.abort()
      return true
    }
    const executor = new ToolExecutor({ tools: [tool], middleware: [retryMiddleware({ retryIf })] })
    const result = await executor.execute(bare('flaky'), { signal: abort.signal })
    expect(result.outcome).toBe('cancelled')
    expect(execute).toHaveBeenCalledOnce()
  })

  it('counts as one try of the run, however often it tried', async () => {
    const attempts: number[] = []
    const flaky = simple(
      'flaky',
      (_input: unknown, context: { attempt: number }) => {
        attempts.push(context.attempt)
        throw new TypeError('Failed to fetch')
      },
      { effect: 'none' },
    )
    const model = new ScriptedModel([bare('flaky'), bare('flaky'), bare('flaky'), 'done'])
    const middleware = [retryMiddleware({ baseDelayMs: 1, attempts: 2 })]
    const { status } = await new Agent({
      model,
      tools: [flaky],
      middleware,
      limits: { maxToolCalls: 4 },
    }).run('go')
    expect([status, attempts]).toEqual(['done', [1, 1, 1, 1, 1, 1]])
  })

  it('refuses options that cannot be', () => {
    expect(() => retryMiddleware({ attempts: 0 })).toThrow('attempts is 0')
    expect(() => retryMiddleware({ baseDelayMs: -1 })).toThrow('baseDelayMs is -1')
    expect(() => retryMiddleware({ tools: 'search' as never })).toThrow('expected a list of tool names')
    expect(() => retryMiddleware({ retryIf: true as never })).toThrow('retryIf: expected a function')
    expect(() => retryMiddleware({ retries: 3 } as never)).toThrow('no option "retries"')
  })
})
