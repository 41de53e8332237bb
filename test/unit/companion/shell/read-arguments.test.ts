import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileGrammars } from '../../../../src/companion/shell/file-grammars.ts'
import { arrangeFind } from '../../../../src/companion/shell/find-expression.ts'
import { gitGrammars } from '../../../../src/companion/shell/git-grammars.ts'
import { flags, type Grammar } from '../../../../src/companion/shell/grammar.ts'
import { readArguments } from '../../../../src/companion/shell/read-arguments.ts'
import type { Roots } from '../../../../src/companion/shell/roots.ts'

const grammar: Grammar = {
  flags: flags({
    none: '-a --all -b',
    needs: { count: '-n --lines' },
    may: { count: '-U --unified' },
  }),
  operands: { kinds: 'paths' },
  number: '-n',
  joined: true,
}

function read(words: string[], rules = grammar): string {
  const given = readArguments(
    words.map((text, at) => ({ text, position: at + 2 })),
    rules,
    'tool',
  )
  if ('problem' in given) return `${given.problem.code} ${given.problem.found}`
  const named = given.value.flags.map(({ name, value }) => (value ? `${name}=${value.text}` : name))
  return [...named, '|', ...given.value.operands.map(({ text }) => text)].join(' ')
}

describe('flags are told from operands', () => {
  test.each([
    ['-a x --all', '-a --all | x'],
    ['-ab x', '-a -b | x'],
    ['-n 5 x', '-n=5 | x'],
    ['-n5 x', '-n=5 | x'],
    ['-abn5 x', '-a -b -n=5 | x'],
    ['-abn 5 x', '-a -b -n=5 | x'],
    ['--lines=5 x', '--lines=5 | x'],
    ['--lines 5 x', '--lines=5 | x'],
    ['--lines= x', '--lines= | x'],
    ['-5 x', '-n=5 | x'],
    ['-U x', '-U | x'],
    ['-U3 x', '-U=3 | x'],
    ['--unified x', '--unified | x'],
    ['-a -- -b --x', '-a | -b --x'],
    ['-n -- -a', '-n=-- -a |'],
    ['- x', '| - x'],
    ['--al x', 'unknownFlag --al'],
    ['--all=1', 'needlessValue --all=1'],
    ['-ax', 'unknownFlag -ax'],
    ['-aOevil', 'unknownFlag -aOevil'],
    ['-n', 'missingValue -n'],
    ['--', '|'],
    ['---', 'unknownFlag ---'],
  ])('%s', (words, expected) => {
    expect(read(words.split(' ')).trimEnd()).toBe(expected)
  })

  test('letters are not joined where a program would not have it', () => {
    expect(read(['-ab'], { ...grammar, joined: false })).toBe('unknownFlag -ab')
    expect(read(['-n5'], { ...grammar, joined: false })).toBe('-n=5 |')
  })
})

const grammars = Object.entries({ ...fileGrammars, ...gitGrammars })
const dangerous = [
  '--output',
  '--output=f',
  '-O',
  '-Ocmd',
  '--ext-diff',
  '--textconv',
  '--no-index',
  '-f',
  '--exec',
  '-D',
  '-c',
]

test('whatever the words, only flags of the table get through, and no other word with a dash in front', () => {
  const word = fc.oneof(
    fc.constantFrom(...dangerous, '--', 'x', '5', '-5'),
    fc.constantFrom(...grammars.flatMap(([, { flags: known }]) => [...known.keys()])),
    fc.string({ unit: fc.constantFrom(...'-abcefnoOpsuUx=5') }),
  )
  fc.assert(
    fc.property(fc.constantFrom(...grammars), fc.array(word), ([program, rules], words) => {
      const given = readArguments(
        words.map((text, position) => ({ text, position })),
        rules,
        program,
      )
      if ('problem' in given) return
      const { flags: found, operands, before } = given.value
      for (const { name, flag, value } of found) {
        expect(rules.flags.get(name)).toBe(flag)
        expect(
          value !== undefined || flag.value === undefined || flag.optional || flag.usual !== undefined,
        ).toBe(true)
      }
      for (const { text } of operands.slice(0, before ?? operands.length))
        expect(text).toMatch(/^(?:-?$|[^-])/)
    }),
  )
})

test('whatever the expression, find is given no word that runs, writes or deletes', async () => {
  const roots: Roots = {
    folders: ['/root'],
    check: async () => ({ value: 'file' }),
    rootAt: async () => undefined,
  }
  const runs = [
    '-exec',
    '-execdir',
    '-ok',
    '-okdir',
    '-delete',
    '-fprint',
    '-fprint0',
    '-fprintf',
    '-fls',
    '-files0-from',
  ]
  const takesValue = ['-name', '-path', '-newer', '-size', '-user']
  const words = fc.array(
    fc.constantFrom(...runs, ...takesValue, '(', ')', '!', '-o', '-print', 'x', '5', '-L', '-H', '-D'),
  )
  await fc.assert(
    fc.asyncProperty(words, async (list) => {
      const place = { folder: '/root', roots, program: 'find' }
      const arranged = await arrangeFind(
        list.map((text, position) => ({ text, position })),
        place,
      )
      if ('problem' in arranged) return
      const [first, ...rest] = arranged.value
      expect(first).toBe('-P')
      for (const [at, text] of rest.entries()) {
        if (runs.includes(text)) expect(takesValue).toContain(rest[at - 1])
      }
    }),
  )
})
