import { ToolExecutor, type ToolMiddleware, ToolResponse, type ToolResult, tool } from 'offstage'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { type CacheOptions, cacheMiddleware } from '../../../src/execution/cache-middleware.ts'
import { outcomesOf, textsOf, untilStopped, wait } from './step-kit.ts'

const fails = (error: unknown) => () => {
  throw error
}

describe('cacheMiddleware()', () => {
  let made = 0
  const weather = (options: object = {}, act: () => unknown = () => ++made) => {
    const execute = vi.fn(act)
    const made_ = tool({
      name: 'weather',
      description: 'Says a number.',
      inputSchema: v.object({ city: v.optional(v.string(), 'Oslo'), days: v.optional(v.number()) }),
      parallelSafe: true,
      effect: 'none',
      ...options,
      execute: (_input, context) => (execute as (context: unknown) => unknown)(context),
    })
    return { execute, tool: made_ }
  }
  const cache = (options: Partial<CacheOptions> = {}) =>
    cacheMiddleware({ tools: ['weather'], ttlMs: 60_000, ...options })
  const of = (input: object = {}) => ({ name: 'weather', input })

  it('answers equal calls with one execution, whatever the order of the keys and whether a default is written', async () => {
    const { execute, tool } = weather()
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache()] })
    const results: ToolResult[] = []
    for (const input of [{ city: 'Oslo', days: 2 }, { days: 2, city: 'Oslo' }, { days: 2 }]) {
      results.push(await executor.execute(of(input)))
    }
    expect(execute).toHaveBeenCalledOnce()
    expect(new Set(textsOf(results)).size).toBe(1)
    expect(outcomesOf(results)).toEqual(['success', 'success', 'success'])
    expect(results.map(({ executedInput }) => executedInput !== undefined)).toEqual([true, false, false])
    await executor.execute(of({ days: 3 }))
    expect(execute).toHaveBeenCalledTimes(2)
  })

  it('lets equal calls of one step share an execution', async () => {
    const { execute, tool } = weather({}, () => wait(20).then(() => 'sun'))
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache()] })
    expect(textsOf(await executor.executeStep([of(), of(), of({ city: 'Rom' })]))).toEqual([
      'sun',
      'sun',
      'sun',
    ])
    expect(execute).toHaveBeenCalledTimes(2)
  })

  it('does not fail the others when the one who runs it gives up', async () => {
    const abort = new AbortController()
    let turn = 0
    const act = (context: { signal: AbortSignal }) => {
      turn += 1
      if (turn > 1) return wait(20).then(() => 'sun')
      setTimeout(() => abort.abort(), 5)
      return untilStopped(undefined, context)
    }
    const { execute, tool } = weather({}, act as () => unknown)
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache()] })
    const first = executor.execute(of(), { signal: abort.signal })
    const others = [executor.execute(of()), executor.execute(of())]
    expect((await first).outcome).toBe('cancelled')
    expect(textsOf(await Promise.all(others))).toEqual(['sun', 'sun'])
    expect(execute).toHaveBeenCalledTimes(2)
  })

  it('does not keep one waiting who gives up while another one runs it', async () => {
    const { execute, tool } = weather({}, () => wait(80).then(() => 'sun'))
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache()] })
    const abort = new AbortController()
    const order: string[] = []
    const first = executor.execute(of()).then(() => order.push('first'))
    const second = executor.execute(of(), { signal: abort.signal }).then(({ outcome }) => order.push(outcome))
    setTimeout(() => abort.abort(), 10)
    await Promise.all([first, second])
    expect(order).toEqual(['cancelled', 'first'])
    expect(execute).toHaveBeenCalledOnce()
  })

  it.each([
    ['an error', fails(new Error('down')), 'error'],
    ['half an answer', () => ToolResponse.partial('half'), 'partial'],
    ['a failure', () => ToolResponse.error('no'), 'error'],
  ])('does not keep %s, and everybody has their own', async (_what, act, outcome) => {
    const { execute, tool } = weather({}, act)
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache()] })
    const results = [...(await executor.executeStep([of(), of()])), await executor.execute(of())]
    expect(outcomesOf(results)).toEqual([outcome, outcome, outcome])
    expect(results.map(({ error }) => error?.message)).toEqual(Array(3).fill(results[0]?.error?.message))
    expect(execute).toHaveBeenCalledTimes(3)
  })

  it('is for the tools that it is told, and among them for calls without an effect', async () => {
    const runs = async (toolOptions: object, options: Partial<CacheOptions> = {}) => {
      const { execute, tool } = weather(toolOptions)
      const executor = new ToolExecutor({ tools: [tool], middleware: [cache(options)] })
      await executor.execute(of())
      await executor.execute(of())
      return execute.mock.calls.length
    }
    expect(await runs({})).toBe(1)
    expect(await runs({}, { tools: [] })).toBe(2)
    expect(await runs({}, { tools: ({ name }) => name === 'weather' })).toBe(1)
    expect(await runs({ effect: 'local' })).toBe(2)
    expect(
      await runs({ effect: ({ city }: { city: string }) => (city === 'Oslo' ? 'external' : 'none') }),
    ).toBe(2)
  })

  it('does not keep what middleware further in made of a call without an effect', async () => {
    const { execute, tool } = weather({
      effect: ({ days = 0 }: { days?: number }) => (days > 0 ? 'external' : 'none'),
    })
    const inner: ToolMiddleware = { wrap: (_call, _context, next) => next({ city: 'Oslo', days: 1 }) }
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache(), inner] })
    expect(outcomesOf([await executor.execute(of()), await executor.execute(of())])).toEqual([
      'success',
      'success',
    ])
    expect(execute).toHaveBeenCalledTimes(2)
  })

  it('keeps apart what `key` keeps apart, and nothing where it gives undefined', async () => {
    const { execute, tool } = weather()
    const key = vi.fn((_call: unknown, { deps }: { deps: unknown }) => deps as string | undefined)
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache({ key })] })
    const texts: string[] = []
    for (const deps of ['ann', 'bob', 'ann', undefined, undefined]) {
      texts.push((await executor.execute(of(), { deps })).response.text)
    }
    expect(texts[2]).toBe(texts[0])
    expect(new Set(texts).size).toBe(4)
    expect(execute).toHaveBeenCalledTimes(4)
    expect(key.mock.calls[0]).toMatchObject([{ input: { city: 'Oslo' } }, { deps: 'ann' }])
  })

  it('keeps apart the tools of one name', async () => {
    const middleware = [cache()]
    const [one, other, third] = [weather(), weather({ version: '2' }), weather()]
    for (const { tool } of [one, other, third]) {
      await new ToolExecutor({ tools: [tool], middleware }).execute(of())
    }
    expect([one, other, third].map(({ execute }) => execute.mock.calls.length)).toEqual([1, 1, 0])
  })

  it('forgets after its time, and of too many the one that was used least recently', async () => {
    const short = weather()
    const quick = new ToolExecutor({ tools: [short.tool], middleware: [cache({ ttlMs: 10 })] })
    await quick.execute(of())
    await wait(25)
    await quick.execute(of())
    expect(short.execute).toHaveBeenCalledTimes(2)
    const { execute, tool } = weather()
    const executor = new ToolExecutor({ tools: [tool], middleware: [cache({ maxEntries: 2 })] })
    for (const city of ['a', 'b', 'a', 'c', 'a', 'b']) await executor.execute(of({ city }))
    expect(execute).toHaveBeenCalledTimes(4)
  })

  it('gives no one the note that a person wrote with their yes', async () => {
    const { tool } = weather({ needsApproval: true })
    const notes = ['first', undefined]
    const executor = new ToolExecutor({
      tools: [tool],
      middleware: [cache()],
      confirm: () => ({ approved: true, reason: notes.shift() ?? '' }),
    })
    const [first, second] = [await executor.execute(of()), await executor.execute(of())]
    expect(first.response.text).toContain('first')
    expect(second.response.text).not.toContain('first')
    expect(second.executedInput).toBeUndefined()
  })

  it('blocks a call whose key cannot be told', async () => {
    const { execute, tool } = weather()
    const executor = new ToolExecutor({
      tools: [tool],
      middleware: [cache({ key: fails(new Error('no user')) as never })],
    })
    expect(await executor.execute(of())).toMatchObject({ outcome: 'denied' })
    expect(execute).not.toHaveBeenCalled()
  })

  it('refuses options that cannot be', () => {
    expect(() => cacheMiddleware({ ttlMs: 1 } as never)).toThrow('expected a list of tool names')
    expect(() => cacheMiddleware({ tools: [] } as never)).toThrow('say with ttlMs')
    expect(() => cache({ maxEntries: 0 })).toThrow('maxEntries is 0')
    expect(() => cache({ key: 'user' as never })).toThrow('key: expected a function')
  })
})
