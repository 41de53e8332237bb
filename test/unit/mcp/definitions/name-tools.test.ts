import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nameTools } from '../../../../src/mcp/definitions/name-tools.ts'
import { toolNamePattern } from '../../../../src/tool/tool-name.ts'

const names = (namespace: string, ...originals: string[]) => [...nameTools(namespace, originals)]

describe('nameTools', () => {
  test('a name stands behind the namespace, with other characters replaced', () => {
    expect(names('web', 'search', 'page.open', 'öl')).toEqual([
      ['page.open', 'web_page_open'],
      ['search', 'web_search'],
      ['öl', 'web__l'],
    ])
  })

  test('E28: two 64-character names that are cut at the same place both get a hash within 64 characters', () => {
    const [one, other] = ['a', 'b'].map((end) => `${'n'.repeat(63)}${end}`) as [string, string]
    const named = nameTools('web', [one, other])
    expect([...named.keys()]).toEqual([one, other])
    expect(new Set(named.values()).size).toBe(2)
    for (const name of named.values()) expect(name).toMatch(/^web_n{51}_[0-9a-f]{8}$/)
  })

  test('E28: it ends when the name with the hash is taken as well', () => {
    const long = 'n'.repeat(64)
    const taken = nameTools('web', [long]).get(long)?.slice('web_'.length) as string
    const named = nameTools('web', [long, taken])
    expect(named.get(taken)).toBe(`web_${taken}`)
    expect(named.get(long)).toMatch(/^web_n+_[0-9a-f]{8}_1$/)
  })

  test('of two names that become the same, the one that fits as it is keeps it', () => {
    const named = nameTools('web', ['a.b', 'a_b', 'a b'])
    expect(named.get('a_b')).toBe('web_a_b')
    expect(named.get('a.b')).toMatch(/^web_a_b_[0-9a-f]{8}$/)
    expect(named.get('a b')).not.toBe(named.get('a.b'))
  })

  test('a namespace of 64 characters leaves room for the hash', () => {
    expect(nameTools('n'.repeat(64), ['a']).get('a')).toMatch(/^n{55}_[0-9a-f]{8}$/)
  })

  const originals = fc.uniqueArray(
    fc.oneof(
      fc.string({
        unit: fc.constantFrom('a', '_', '.', ' ', 'é', '💥', '\uD800'),
        minLength: 1,
        maxLength: 4,
      }),
      fc.constantFrom('x'.repeat(70), `${'x'.repeat(70)}y`, `${'x'.repeat(60)}.`, '__proto__', 'constructor'),
      fc.string({ unit: 'binary', minLength: 1 }),
    ),
    { maxLength: 20 },
  )
  const namespaces = fc.constantFrom('a', 'web', 'n'.repeat(50), 'n'.repeat(64))

  test('names are always legal, unique, and the same in any order', () => {
    fc.assert(
      fc.property(namespaces, originals, fc.infiniteStream(fc.nat()), (namespace, given, numbers) => {
        const named = nameTools(namespace, given)
        expect(new Set(named.keys())).toEqual(new Set(given))
        expect(new Set(named.values()).size).toBe(given.length)
        for (const name of named.values()) expect(name).toMatch(toolNamePattern)
        const shuffled = given.map((name) => [numbers.next().value, name] as const).sort(([a], [b]) => a - b)
        expect(
          nameTools(
            namespace,
            shuffled.map(([, name]) => name),
          ),
        ).toEqual(named)
      }),
    )
  })
})
