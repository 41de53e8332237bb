import { combined, dynamic, renamed } from 'offstage'
import { describe, expect, it } from 'vitest'
import { answer, mortal, namesOf, saying, sourceOf } from './sources.ts'

describe('renamed()', () => {
  it('gives a tool another name, and the old one is gone', async () => {
    const source = renamed(sourceOf('a', 'b'), { fresh: 'a' })
    expect(await namesOf(source)).toEqual(['fresh', 'b'])
    expect(await answer(source, 'fresh')).toBe('a')
    expect(await answer(source, 'a')).toBe('The tool "a" is gone.')
  })

  it('S16 refuses a name that is taken', async () => {
    await expect(renamed(sourceOf('a', 'b'), { b: 'a' }).list()).rejects.toThrow(
      /renamed\(\): two tools are named "b" .*Choose another new name/,
    )
  })

  it('S16 swaps two names, and calls go right', async () => {
    const source = renamed(sourceOf('a', 'b'), { b: 'a', a: 'b' })
    expect(await namesOf(source)).toEqual(['b', 'a'])
    expect(await answer(source, 'a')).toBe('b')
    expect(await answer(source, 'b')).toBe('a')
  })

  it('S16 turns three names round', async () => {
    const source = renamed(sourceOf('a', 'b', 'c'), { b: 'a', c: 'b', a: 'c' })
    expect(await answer(source, 'a')).toBe('c')
    expect(await answer(source, 'c')).toBe('b')
  })

  it('refuses an old name that is not there, with the closest one', async () => {
    const source = renamed(sourceOf('get_weather'), { weather: 'get_wether' as string })
    await expect(source.list()).rejects.toMatchObject({
      name: 'ToolRegistrationError',
      message: 'renamed(): there is no tool "get_wether". Did you mean "get_weather"?',
    })
    expect(await source.call('weather', {})).toMatchObject({ kind: 'crash', error: { code: 'registration' } })
    expect(await source.preflight('weather', {})).toMatchObject({ kind: 'crash' })
  })

  it('only notes it where the tool may yet come', async () => {
    const late = renamed(
      dynamic(() => [saying('here')]),
      { there: 'not_here' },
    )
    expect(await namesOf(late)).toEqual(['here'])
    expect(late.notes?.()).toEqual([{ kind: 'unknown-name', list: 'renamed()', name: 'not_here' }])
    const dead = renamed(combined([mortal('a', 'the server')], { onSourceError: 'skip' }), { b: 'a' })
    expect(await namesOf(dead)).toEqual([])
    expect(dead.notes?.().map(({ kind }) => kind)).toEqual(['failed', 'unknown-name'])
  })

  it.each([
    ['two names for one tool', { x: 'a', y: 'a' }, '"a" gets two new names'],
    ['no old name', { x: 1 }, 'the old name is no string'],
    ['a list', [['x', 'a']], 'expected names'],
    ['nothing', undefined, 'expected names'],
  ])('refuses %s', (_what, names, message) => {
    expect(() => renamed(sourceOf('a'), names as never)).toThrow(message)
  })

  it('P8 takes the names that every object has', async () => {
    const source = renamed(sourceOf('a', 'toString'), { constructor: 'a', ['__proto__']: 'toString' })
    expect(await namesOf(source)).toEqual(['constructor', '__proto__'])
    expect(await answer(source, 'constructor')).toBe('a')
    expect(await answer(source, '__proto__')).toBe('toString')
    expect(await answer(source, 'toString')).toBe('The tool "toString" is gone.')
  })
})
