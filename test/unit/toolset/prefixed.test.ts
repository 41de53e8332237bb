import { combined, prefixed, ToolExecutor, ToolRegistry } from 'offstage'
import { describe, expect, it } from 'vitest'
import { answer, listed, namesOf, saying, sourceOf } from './sources.ts'

describe('prefixed()', () => {
  it('puts a prefix before each name, and calls go to the tool behind it', async () => {
    const source = prefixed(sourceOf('read', 'write'), 'files')
    expect(await namesOf(source)).toEqual(['files_read', 'files_write'])
    expect(await answer(source, 'files_write')).toBe('write')
    expect(await answer(source, 'write')).toBe('The tool "write" is gone.')
  })

  it('changes nothing else: schema, fingerprint, origin', async () => {
    const source = sourceOf('read')
    const [inner, outer] = [await listed(source, 'read'), await listed(prefixed(source, 'f'), 'f_read')]
    expect(outer).toEqual({ ...inner, definition: { ...inner.definition, name: 'f_read' } })
  })

  it('makes two sources with equal names fit together', async () => {
    const source = combined([prefixed(sourceOf('read'), 'a'), prefixed(sourceOf('read'), 'b')])
    expect(await namesOf(source)).toEqual(['a_read', 'b_read'])
  })

  it('says which prefix to change when the names clash all the same', async () => {
    const source = combined([sourceOf('a_read'), prefixed(sourceOf('read'), 'a')])
    await expect(source.list()).rejects.toThrow(
      /"a_read" \(origins "app" and "app"\)\. Give prefixed\(…, "a"\) another prefix/,
    )
  })

  it('does not care how long a name gets on the way; the executor does in the end', async () => {
    const source = prefixed(sourceOf('read'), 'p'.repeat(70))
    expect(await namesOf(source)).toEqual([`${'p'.repeat(70)}_read`])
    await expect(new ToolExecutor({ tools: source }).list()).rejects.toThrow(
      /75 characters.*Shorten a prefix/,
    )
  })

  it.each(['', 'a b', 'ä', 'a.b', 7])('refuses the prefix %j', (prefix) => {
    expect(() => prefixed(sourceOf('a'), prefix as string)).toThrow(/the prefix .* is not valid/)
  })

  it('follows its source', async () => {
    const registry = new ToolRegistry()
    registry.register(saying('one'))
    const source = prefixed(registry.toolset(), 'my')
    const heard: string[] = []
    const stop = source.subscribe?.(() => heard.push('changed'))
    expect(await source.list()).toBe(await source.list())
    const remove = registry.register(saying('two'))
    expect(heard).toEqual(['changed'])
    expect(await namesOf(source)).toEqual(['my_one', 'my_two'])
    expect(await answer(source, 'my_two')).toBe('two')
    remove()
    expect(await namesOf(source)).toEqual(['my_one'])
    expect(heard).toHaveLength(2)
    stop?.()
    registry.register(saying('three'))
    expect(heard).toHaveLength(2)
  })
})
