import { combined, prepared, ToolExecutor, Toolkit, Toolset, tool } from 'offstage'
import { describe, expect, it } from 'vitest'
import { bare, simple } from './step-kit.ts'

const text = (chars: number) => 'x'.repeat(chars)
const sized = (name: string, maxResultChars: number | undefined, chars = 40_000) =>
  simple(name, () => text(chars), maxResultChars === undefined ? {} : { maxResultChars })

async function lengthOf(executor: ToolExecutor, name: string): Promise<number> {
  return (await executor.execute(bare(name))).response.text.length
}

describe('maxResultChars of a tool', () => {
  it('counts for its results, whether it is less or more than for others', async () => {
    const executor = new ToolExecutor({
      tools: [
        sized('short', 2_000),
        sized('usual', undefined),
        sized('wide', 50_000),
        sized('all', Infinity),
      ],
      maxResultChars: 4_000,
    })
    for (const [name, most] of [
      ['short', 2_000],
      ['usual', 4_000],
    ] as const) {
      const length = await lengthOf(executor, name)
      expect(length).toBeLessThanOrEqual(most)
      expect(length).toBeGreaterThan(most - 100)
    }
    for (const name of ['wide', 'all']) expect(await lengthOf(executor, name)).toBe(40_000)
  })

  it('leaves read_result its own limit, that of all, or 16,000 where there is none', async () => {
    for (const [maxResultChars, most] of [
      [5_000, 5_000],
      [Infinity, 16_000],
    ] as const) {
      const executor = new ToolExecutor({ tools: [sized('short', 1_000)], maxResultChars })
      const { response } = await executor.execute(bare('short'))
      const [handle = ''] = /result-[0-9a-f]{24}/.exec(response.text) ?? []
      const piece = await executor.execute({ name: 'read_result', input: { handle } })
      expect(piece.outcome).toBe('success')
      expect(piece.response.text.length).toBeLessThanOrEqual(most)
      expect(piece.response.text.length).toBeGreaterThan(most - 100)
      const [, reader] = await executor.list()
      expect(JSON.stringify(reader?.definition.inputSchema)).toContain(`at most ${most}.`)
    }
  })

  it('comes from the kit, the sources that are combined, or prepare(), unless the tool says it', async () => {
    const kit = new Toolkit({
      name: 'kit',
      tools: [sized('own', 2_000), sized('kits', undefined)],
      maxResultChars: 3_000,
    })
    const outer = combined([new Toolset([kit])], { maxResultChars: 9_000 })
    const wide = prepared(outer, (definition) =>
      definition.name === 'own' ? { ...definition, maxResultChars: Infinity } : definition,
    )
    const limits = async (source: typeof outer) =>
      (await source.list()).map(({ definition }) => definition.maxResultChars)
    expect(await limits(outer)).toEqual([2_000, 3_000])
    const executor = new ToolExecutor({ tools: wide })
    expect(await lengthOf(executor, 'own')).toBe(40_000)
    expect(await lengthOf(executor, 'kits')).toBeLessThanOrEqual(3_000)
  })

  it.each([999, 0, -1, 1_000.5, Number.NaN, '2000', null])('cannot be %s', (maxResultChars) => {
    const wrong = () => tool({ name: 'a', description: 'A.', maxResultChars, execute: () => '' } as never)
    expect(wrong).toThrow(/tool "a": maxResultChars must be a whole number of at least 1000/)
    expect(() => new Toolkit({ name: 'kit', tools: [], maxResultChars } as never)).toThrow(
      /toolkit "kit": maxResultChars is/,
    )
  })
})
