import { dynamic, prefixed, type StepContext, ToolExecutor, type ToolSource } from 'offstage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  answer,
  closeMade,
  namesOf,
  saying,
  sourceForRun,
  sourceForStep,
  sourceOf,
  stepOf,
} from './sources.ts'

afterEach(() => {
  vi.useRealTimers()
})

interface User {
  readonly user?: string
}

/** A source that counts how often it is closed. */
function closable(name: string): ToolSource & { closed: number } {
  const source = {
    ...sourceOf(name),
    closed: 0,
    close: async () => {
      source.closed += 1
    },
  }
  return source
}

const forUser = (user?: string): StepContext => ({ runId: `run of ${user}`, deps: { user } })

describe('dynamic()', () => {
  it('asks the factory once for each run, with its context', async () => {
    const factory = vi.fn(({ deps }: StepContext<User>) => [saying(`of_${deps.user}`)])
    const source = dynamic(factory)
    const [ada, bob] = [
      await sourceForRun(source, forUser('ada')),
      await sourceForRun(source, forUser('bob')),
    ]
    for (const step of [1, 2]) {
      expect(await namesOf(await sourceForStep(ada, { ...forUser('ada'), step }))).toEqual(['of_ada'])
      expect(await namesOf(await sourceForStep(bob, { ...forUser('bob'), step }))).toEqual(['of_bob'])
    }
    expect(await answer(ada, 'of_ada')).toBe('of_ada')
    expect(await answer(ada, 'of_bob')).toBe('The tool "of_bob" is gone.')
    expect(factory.mock.calls).toEqual([[forUser('ada')], [forUser('bob')]])
  })

  it('asks it for each step when told to', async () => {
    const source = dynamic(async ({ step = 0 }) => [saying(`step_${step}`)], { per: 'step' })
    const run = await sourceForRun(source, forUser('ada'))
    const steps = await Promise.all([1, 2].map((step) => sourceForStep(run, { ...forUser('ada'), step })))
    expect(await Promise.all(steps.map(namesOf))).toEqual([['step_1'], ['step_2']])
  })

  it('takes one source, a mixed list, or nothing', async () => {
    expect(await namesOf(dynamic(() => sourceOf('a')))).toEqual(['a'])
    expect(await namesOf(dynamic(() => [saying('b'), sourceOf('a')]))).toEqual(['b', 'a'])
    expect(await namesOf(dynamic(() => null))).toEqual([])
    expect(await namesOf(dynamic(async () => undefined))).toEqual([])
  })

  it('refuses what holds no tools, and hands on what the factory throws', async () => {
    await expect(sourceForRun(dynamic((() => 7) as never), stepOf())).rejects.toThrow('tools must be a list')
    await expect(
      sourceForRun(
        dynamic(() => [saying('a'), saying('a')]),
        stepOf(),
      ),
    ).rejects.toThrow('two tools are named "a"')
    const broken = dynamic(() => {
      throw new Error('no server')
    })
    await expect(sourceForRun(broken, stepOf())).rejects.toThrow('no server')
    await expect(broken.list()).rejects.toThrow('no server')
    expect(await broken.call('a', {})).toMatchObject({ kind: 'crash', error: { message: 'no server' } })
    expect(await broken.preflight('a', {})).toMatchObject({ kind: 'crash' })
  })

  it('outside any run asks for each list; calls go to what was listed', async () => {
    let turn = 0
    const factory = vi.fn((_context: StepContext) => {
      turn += 1
      return [saying(`turn_${turn}`)]
    })
    const source = dynamic(factory)
    expect(await namesOf(source)).toEqual(['turn_1'])
    expect(await answer(source, 'turn_1')).toBe('turn_1')
    expect(await namesOf(source)).toEqual(['turn_2'])
    expect(await answer(source, 'turn_1')).toContain('gone')
    expect(factory).toHaveBeenCalledWith({ deps: undefined })
    const result = await new ToolExecutor({ tools: source }).execute({ name: 'turn_3', input: {} })
    expect(result.outcome).toBe('success')
  })

  it('leaves what the factory gave open, unless told to close it', async () => {
    const pool = closable('a')
    const run = await sourceForRun(
      dynamic(() => pool),
      stepOf(),
    )
    await run.close?.()
    expect(pool.closed).toBe(0)
  })

  it.each(['run', 'step'] as const)('with closes: true closes it after each %s, once', async (per) => {
    const pools: (ToolSource & { closed: number })[] = []
    const source = dynamic(
      () => {
        const pool = closable('a')
        pools.push(pool)
        return [pool, pool === pools[0] ? saying('b') : saying('c')]
      },
      { per, closes: true },
    )
    const outer = prefixed(source, 'my')
    const run = await sourceForRun(outer, stepOf())
    const step = await sourceForStep(run, stepOf())
    expect(await answer(step, 'my_a')).toBe('a')
    await closeMade(step, run)
    expect(pools.map(({ closed }) => closed)).toEqual([per === 'step' ? 1 : 0])
    await closeMade(run, outer)
    expect(pools.map(({ closed }) => closed)).toEqual([1])
    await outer.close?.()
    expect(pools.map(({ closed }) => closed)).toEqual([1])
  })

  it('with closes: true keeps what was made outside any run, and closes it with the source', async () => {
    const pool = closable('a')
    const factory = vi.fn(() => pool)
    const source = dynamic(factory, { closes: true })
    await source.list()
    await source.list()
    await source.close?.()
    expect(factory).toHaveBeenCalledOnce()
    expect(pool.closed).toBe(1)
  })

  it('opens and closes the run of the sources that it made', async () => {
    const told: string[] = []
    const inner: ToolSource = {
      ...sourceOf('a'),
      forRun: ({ runId }) => ({
        ...sourceOf('in_run'),
        close: async () => void told.push(`closed ${runId}`),
      }),
    }
    const run = await sourceForRun(
      dynamic(() => inner),
      stepOf(),
    )
    expect(await namesOf(run)).toEqual(['in_run'])
    await run.close?.()
    expect(told).toEqual(['closed run'])
  })

  it('closes what was made when its run cannot be opened', async () => {
    const pool = Object.assign(closable('a'), { forRun: () => Promise.reject(new Error('no run')) })
    await expect(
      sourceForRun(
        dynamic(() => pool, { closes: true }),
        stepOf(),
      ),
    ).rejects.toThrow('no run')
    expect(pool.closed).toBe(1)
  })
})

const sameKey = (): string => 'a'

describe('the cache of dynamic()', () => {
  const cached = (
    factory: (context: StepContext<User>) => unknown,
    limits: { readonly ttlMs?: number; readonly maxEntries?: number } = {},
  ) =>
    dynamic(factory as never, {
      cache: { key: ({ deps }: StepContext<User>) => deps?.user, ttlMs: 1_000, maxEntries: 10, ...limits },
    })

  it('D5 lets runs of one key share one call of the factory, also at the same time', async () => {
    const factory = vi.fn(async ({ deps }: StepContext<User>) => [saying(`of_${deps.user}`)])
    const source = cached(factory)
    const users = ['ada', 'ada', 'bob', 'ada']
    const runs = await Promise.all(users.map((user) => sourceForRun(source, forUser(user))))
    expect(await Promise.all(runs.map(namesOf))).toEqual(users.map((user) => [`of_${user}`]))
    expect(factory).toHaveBeenCalledTimes(2)
  })

  it('D5 keeps nothing for a key that is undefined', async () => {
    const factory = vi.fn(() => [saying('a')])
    const source = cached(factory)
    await sourceForRun(source, forUser())
    await sourceForRun(source, forUser())
    expect(factory).toHaveBeenCalledTimes(2)
  })

  it('refuses a key that would never be found again', async () => {
    const source = dynamic(() => [], { cache: { key: () => null as never, ttlMs: 1, maxEntries: 1 } })
    await expect(sourceForRun(source, stepOf())).rejects.toThrow('cache.key: expected a string, a number')
  })

  it('keeps nothing of a call that failed', async () => {
    const factory = vi
      .fn()
      .mockRejectedValueOnce(new Error('no server'))
      .mockReturnValue([saying('a')])
    const source = cached(factory)
    const runs = await Promise.allSettled([
      sourceForRun(source, forUser('ada')),
      sourceForRun(source, forUser('ada')),
    ])
    expect(runs.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await namesOf(await sourceForRun(source, forUser('ada')))).toEqual(['a'])
    expect(factory).toHaveBeenCalledTimes(2)
  })

  it('D5 asks again once the time is over', async () => {
    vi.useFakeTimers()
    const factory = vi.fn(() => [saying('a')])
    const source = cached(factory, { ttlMs: 1_000 })
    await sourceForRun(source, forUser('ada'))
    vi.advanceTimersByTime(999)
    await sourceForRun(source, forUser('ada'))
    expect(factory).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    await sourceForRun(source, forUser('ada'))
    expect(factory).toHaveBeenCalledTimes(2)
  })

  it('D5 forgets what was used least recently', async () => {
    const made: (string | undefined)[] = []
    const source = cached(({ deps }) => void made.push(deps.user), { maxEntries: 2 })
    for (const user of ['a', 'b', 'a', 'c', 'a', 'b']) await sourceForRun(source, forUser(user))
    expect(made).toEqual(['a', 'b', 'c', 'b'])
  })

  it('leaves cached sources open when a run is over', async () => {
    const pool = closable('a')
    const source = cached(() => pool)
    await (await sourceForRun(source, forUser('ada'))).close?.()
    await source.close?.()
    expect(pool.closed).toBe(0)
  })

  it('D5 forgets everything with clear(), and closes it when told to, each source once', async () => {
    const [shared, own] = [closable('a'), closable('b')]
    const factory = vi.fn(({ deps }: StepContext<User>) => (deps.user === 'ada' ? [shared, own] : shared))
    const source = cached(factory)
    for (const user of ['ada', 'bob']) await sourceForRun(source, forUser(user))
    await source.clear()
    expect([shared.closed, own.closed]).toEqual([0, 0])
    const slow = Promise.all(['ada', 'bob'].map((user) => sourceForRun(source, forUser(user))))
    await vi.waitFor(() => expect(factory).toHaveBeenCalledTimes(4))
    await source.clear({ close: true })
    await slow
    expect([shared.closed, own.closed]).toEqual([1, 1])
    await source.clear({ close: true })
    expect([shared.closed, own.closed]).toEqual([1, 1])
  })

  it.each([
    ['no function', [7, {}], 'dynamic(): expected a function'],
    ['per what', [() => [], { per: 'call' }], 'expected "run" or "step"'],
    ['an unknown option', [() => [], { caches: true }], 'Did you mean "cache"?'],
    ['closes that is no boolean', [() => [], { closes: 'yes' }], 'closes: expected true or false'],
    ['no key', [() => [], { cache: { ttlMs: 1, maxEntries: 1 } }], 'cache.key: expected a function'],
    ['no time', [() => [], { cache: { key: sameKey, maxEntries: 1 } }], 'say with ttlMs'],
    [
      'a time below 0',
      [() => [], { cache: { key: sameKey, ttlMs: -1, maxEntries: 1 } }],
      'give milliseconds above 0',
    ],
    ['no size', [() => [], { cache: { key: sameKey, ttlMs: 1 } }], 'maxEntries must be a whole number'],
    [
      'both closes and cache',
      [() => [], { closes: true, cache: { key: sameKey, ttlMs: 1, maxEntries: 1 } }],
      'closes and cache do not go together',
    ],
  ])('refuses %s', (_what, [factory, options], message) => {
    expect(() => dynamic(factory as never, options as never)).toThrow(message)
  })
})
