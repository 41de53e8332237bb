import { combined, type ListedTool, prefixed, type ToolSource } from 'offstage'
import { describe, expect, it, vi } from 'vitest'
import { answer, saying, sourceOf } from './sources.ts'

/** A source whose lists are answered by hand. */
function slowly(): ToolSource & { readonly lists: ((tools: readonly ListedTool[]) => void)[] } {
  const lists: ((tools: readonly ListedTool[]) => void)[] = []
  const tools = sourceOf(saying('old'), saying('new'))
  return { ...tools, lists, list: () => new Promise((resolve) => lists.push(resolve)) }
}

describe.each([
  ['combined', (source: ToolSource) => combined([source])],
  ['a wrapper', (source: ToolSource) => prefixed(source, 'p')],
])('lists of %s at the same time', (_what, wrap) => {
  it('do not let an older one hide what a newer one showed', async () => {
    const [older, newer] = await sourceOf('old', 'new').list()
    if (older === undefined || newer === undefined) throw new Error('no tools')
    const inner = slowly()
    const source = wrap(inner)
    const [first, second] = [source.list(), source.list()]
    inner.lists[1]?.([newer])
    const [shown] = await second
    inner.lists[0]?.([older])
    await first
    expect(await answer(source, String(shown?.definition.name))).toBe('new')
  })

  it('that calls wait for are read once', async () => {
    const inner = slowly()
    const source = wrap(inner)
    const calls = [answer(source, 'nobody'), answer(source, 'nobody')]
    await vi.waitFor(() => expect(inner.lists).toHaveLength(1))
    inner.lists[0]?.([])
    expect(await Promise.all(calls)).toEqual(['The tool "nobody" is gone.', 'The tool "nobody" is gone.'])
    expect(inner.lists).toHaveLength(1)
  })
})
