import { prefixed, renamed } from 'offstage'
import { describe, expect, it } from 'vitest'
import { checkListed } from '../../../src/toolset/check-listed.ts'
import { sourceOf } from './sources.ts'

describe('checkListed()', () => {
  it('gives the tools by name, whatever the names are', async () => {
    const names = ['a', 'constructor', '__proto__']
    const tools = checkListed(await sourceOf(...names).list())
    expect([...tools.keys()]).toEqual(names)
    expect(tools.get('toString')).toBeUndefined()
  })

  it('looks at what a name has become in the end', async () => {
    const long = prefixed(sourceOf('a'), 'p'.repeat(64))
    const tools = await renamed(long, { short: `${'p'.repeat(64)}_a` }).list()
    expect([...checkListed(tools).keys()]).toEqual(['short'])
    expect(() => checkListed([])).not.toThrow()
  })

  it.each([
    ['too long', (name: string) => 'p'.repeat(64) + name, '65 characters'],
    ['empty', () => '', '""'],
    ['with a letter that no provider takes', (name: string) => `${name}.b`, '"a.b"'],
  ])('refuses a name that is %s', async (_what, rename, message) => {
    const source = renamed(sourceOf('a'), { [rename('a')]: 'a' })
    const tools = await source.list()
    expect(() => checkListed(tools)).toThrow(message)
  })

  it('refuses two tools of one name', async () => {
    const tools = await sourceOf('a').list()
    expect(() => checkListed([...tools, ...tools])).toThrow('Two tools of a source are named "a"')
  })
})
