import {
  combined,
  labelled,
  prefixed,
  prepared,
  renamed,
  ToolExecutor,
  type ToolMiddleware,
  wrapped,
} from 'offstage'
import { describe, expect, it } from 'vitest'
import { middlewareOf } from '../../../src/toolset/listed-tool.ts'
import { answer, listed, sourceOf } from './sources.ts'

const named = (name: string): ToolMiddleware => ({ name, before: () => {} })

describe('wrapped()', () => {
  it('notes its middleware, the first outermost, the outer wrapper’s before the inner one’s', async () => {
    const source = wrapped(wrapped(sourceOf('a'), named('c'), named('d')), named('a'), named('b'))
    expect(middlewareOf(await listed(source, 'a')).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is not lost in wrappers further out', async () => {
    const inner = wrapped(sourceOf('a'), named('guard'))
    const outer = prefixed(
      prepared(
        labelled(renamed(combined([inner], { timeoutMs: 1_000 }), { b: 'a' }), { reads: 'private' }),
        (definition) => ({ ...definition, version: '2' }),
      ),
      'my',
    )
    expect(middlewareOf(await listed(outer, 'my_b'))).toHaveLength(1)
  })

  it('is for the tools of its source only', async () => {
    const source = combined([wrapped(sourceOf('a'), named('guard')), sourceOf('b')])
    expect(middlewareOf(await listed(source, 'b'))).toEqual([])
  })

  it('changes nothing for who calls the source itself', async () => {
    const guard: ToolMiddleware = {
      before: () => {
        throw new Error('no')
      },
    }
    expect(await answer(wrapped(sourceOf('a'), guard), 'a')).toBe('a')
  })

  it('blocks a call in the executor', async () => {
    const guard: ToolMiddleware = {
      name: 'guard',
      before: () => {
        throw new Error('not today')
      },
    }
    const executor = new ToolExecutor({ tools: [wrapped(sourceOf('a'), guard), sourceOf('b')] })
    expect(await executor.execute({ name: 'a', input: {} })).toMatchObject({ outcome: 'denied' })
    expect(await executor.execute({ name: 'b', input: {} })).toMatchObject({ outcome: 'success' })
  })

  it('refuses what is no middleware', () => {
    expect(() => wrapped(sourceOf('a'), { befor: () => {} } as never)).toThrow(
      'wrapped(), middleware 1: there is no option "befor". Did you mean "before"?',
    )
  })
})
