import { filtered, type ToolSelector } from 'offstage'
import { describe, expect, it } from 'vitest'
import { namesOf, saying, sourceOf } from './sources.ts'

const tools = sourceOf(
  saying('a', { metadata: { team: 'x', tags: ['one', 'two'], place: { floor: 1, room: 2 } } }),
  saying('b', { metadata: { team: 'x', on: null } }),
  saying('all'),
)

describe('a selector', () => {
  it.each<[string, ToolSelector, readonly string[]]>([
    ['everything', 'all', ['a', 'b', 'all']],
    ['a name', 'b', ['b']],
    ['names', ['b', 'a'], ['a', 'b']],
    ['the tool that is named all', ['all'], ['all']],
    ['metadata', { team: 'x' }, ['a', 'b']],
    ['metadata with more than one member', { team: 'x', on: null }, ['b']],
    ['a part of nested metadata', { place: { floor: 1 } }, ['a']],
    ['another nested value', { place: { floor: 2 } }, []],
    ['a whole list', { tags: ['one', 'two'] }, ['a']],
    ['a part of a list', { tags: ['one'] }, []],
    ['a member that objects inherit', { constructor: {} }, []],
    ['a prototype', JSON.parse('{ "__proto__": {} }'), []],
    ['an object where a text is', { team: {} }, []],
    ['a function', ({ definition }) => definition.name > 'a' && definition.name < 'b', ['all']],
    ['a function that takes its time', async ({ origin }) => origin === 'app', ['a', 'b', 'all']],
  ])('selects by %s', async (_what, selector, names) => {
    expect(await namesOf(filtered(tools, selector))).toEqual(names)
  })
})
