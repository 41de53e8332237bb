import { memoryResultStore, opfsResultStore, type ResultStore, ToolExecutor, type ToolResult } from 'offstage'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { bare, simple } from './step-kit.ts'

const long = Array.from({ length: 4_000 }, (_, index) => `line ${index}`).join('\n')

function executorWith(resultStore: ResultStore) {
  return new ToolExecutor({ tools: [simple('load', () => long)], resultStore })
}

function handleIn({ response }: ToolResult): string {
  return /result-[0-9a-f]{24}/.exec(response.text)?.[0] ?? ''
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each([
  ['memoryResultStore', memoryResultStore],
  ['opfsResultStore', opfsResultStore],
])('%s', (name, make) => {
  it('gives a text to its owner and to nobody else, until it is deleted', async () => {
    const store = make()
    const [mine, yours] = [`${name}_mine`, `${name}_yours`]
    await store.put(mine, 'result-a', 'a\n"\u2028🙂')
    await store.put(mine, 'result-b', 'b')
    await store.put(yours, 'result-c', 'c')
    expect(await store.read(mine, 'result-a')).toBe('a\n"\u2028🙂')
    expect(await store.read(yours, 'result-a')).toBeUndefined()
    expect(await store.read(mine, 'result-d')).toBeUndefined()
    expect((await store.list(mine)).toSorted()).toEqual(['result-a', 'result-b'])
    await store.delete(mine)
    expect(await store.list(mine)).toEqual([])
    expect(await store.read(mine, 'result-b')).toBeUndefined()
    expect(await store.read(yours, 'result-c')).toBe('c')
    await store.delete(yours)
    await store.delete('nobody')
  })

  it('lets the oldest go when there is no more room, and refuses what can never fit', async () => {
    const store = make({ maxBytes: 2_000 })
    for (const [index, letter] of ['a', 'b', 'c'].entries()) {
      vi.useFakeTimers({ now: 1_000 * (index + 1), toFake: ['Date'] })
      await store.put('full', `result-${letter}`, letter.repeat(900))
    }
    expect((await store.list('full')).toSorted()).toEqual(['result-b', 'result-c'])
    await expect(store.put('full', 'result-d', 'd'.repeat(2_000))).rejects.toMatchObject({ code: 'quota' })
    expect(await store.list('full')).toHaveLength(2)
    await store.delete('full')
  })

  it('lets go of what is too old', async () => {
    const store = make({ maxAgeMs: 60_000 })
    vi.useFakeTimers({ now: 0, toFake: ['Date'] })
    await store.put('aged', 'result-a', 'old')
    vi.setSystemTime(59_000)
    await store.put('aged', 'result-b', 'newer')
    vi.setSystemTime(60_000)
    await store.put('aged', 'result-c', 'new')
    expect((await store.list('aged')).toSorted()).toEqual(['result-b', 'result-c'])
    await store.delete('aged')
  })

  it('refuses limits that cannot be meant', () => {
    expect(() => make({ maxBytes: 0 })).toThrow(/maxBytes is 0/)
    expect(() => make({ maxAgeMs: -1 })).toThrow(/maxAgeMs is -1/)
    expect(() => make({ maxBits: 1 } as never)).toThrow(/no option "maxBits"/)
  })
})

it('a store of the memory shares nothing with another one', async () => {
  const [one, other] = [memoryResultStore(), memoryResultStore()]
  await one.put('run', 'result-a', 'a')
  expect(await other.list('run')).toEqual([])
})

describe('the store of an app', () => {
  it('is asked for each run by its id, and told when the run is over', async () => {
    const told: unknown[] = []
    const texts = new Map<string, string>()
    const executor = executorWith({
      put: async (owner, handle, text) => {
        told.push(['put', owner, handle, text.length])
        texts.set(`${owner}/${handle}`, text)
      },
      read: async (owner, handle) => texts.get(`${owner}/${handle}`),
      list: async () => [],
      delete: async (owner) => void told.push(['delete', owner]),
    })
    const handle = handleIn(await executor.execute(bare('load'), { runId: 'run_1' }))
    const piece = { name: 'read_result', input: { handle, offset: 20_000, length: 20 } }
    const { response } = await executor.execute(piece, { runId: 'run_1' })
    expect(response.text).toContain(long.slice(20_000, 20_020))
    const outside = handleIn(await executor.execute(bare('load')))
    const [, [, owner]] = told as [unknown, [string, string]]
    await executor.close()
    expect(told).toEqual([
      ['put', 'run_1', handle, long.length],
      ['put', owner, outside, long.length],
      ['delete', owner],
    ])
    expect(owner).not.toBe('run_1')
  })

  const fails = () => Promise.reject(new Error('no disk'))
  const good = memoryResultStore()
  it.each<[string, Partial<ResultStore>]>([
    ['rejects', { put: fails }],
    [
      'throws',
      {
        put: () => {
          throw new Error('no disk')
        },
      },
    ],
  ])(
    'that %s when it is to keep a text costs the call nothing: the rest cannot be read',
    async (_, broken) => {
      const executor = executorWith({ ...good, ...broken })
      const { outcome, response } = await executor.execute(bare('load'))
      expect(outcome).toBe('partial')
      expect(response.text).toMatch(/^line 0\n[\s\S]*cannot be read\. If you need them[^\n]*\)$/)
      expect(response.metadata?.cut).not.toHaveProperty('handle')
      expect((await executor.list()).map(({ definition }) => definition.name)).toEqual(['load'])
    },
  )

  it('that never answers costs the call ten seconds', async () => {
    const executor = executorWith({ ...good, put: () => new Promise(() => {}) })
    await executor.list()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const running = executor.execute(bare('load'))
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await Promise.race([running, 'running'])).not.toBe('running')
    })
    expect((await running).response.text).toContain('cannot be read')
  })

  it.each<[string, Partial<ResultStore>]>([
    ['fails', { read: fails, delete: fails, list: fails }],
    ['gives something else', { read: async () => 7 as never, list: async () => null as never }],
  ])('that %s when it is to read answers that there is nothing', async (_, broken) => {
    const executor = executorWith({ ...good, ...broken })
    const handle = handleIn(await executor.execute(bare('load')))
    const { outcome, response } = await executor.execute({ name: 'read_result', input: { handle } })
    expect(outcome).toBe('error')
    expect(response.text).toMatch(/^There is no result with this handle/)
    await executor.close()
  })

  it('that lacks a method is refused when the executor is made', () => {
    expect(() => executorWith(new Map() as never)).toThrow(
      /new ToolExecutor\(\), resultStore: expected put, read, list and delete/,
    )
  })
})
