import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortestEdit } from '../../../../src/mcp/pins/shortest-edit.ts'
import { type TextSegment, textDifference } from '../../../../src/mcp/pins/text-difference.ts'

const signs = { same: '', removed: '-', added: '+' }
const shown = (before: string, after: string) =>
  textDifference(before, after).map(({ kind, text }) => `${signs[kind]}${text}`)

const without = (segments: readonly TextSegment[], kind: TextSegment['kind']) =>
  segments
    .filter((segment) => segment.kind !== kind)
    .map(({ text }) => text)
    .join('')

describe('textDifference', () => {
  test.each<[string, string, readonly string[]]>([
    ['', '', []],
    ['a', 'a', ['a']],
    ['', 'a', ['+a']],
    ['a', '', ['-a']],
    ['colour', 'color', ['colo', '-u', 'r']],
    ['Reads one file.', 'Writes one file.', ['-Read', '+Write', 's one file.']],
    ['a 💥 b', 'a 💦 b', ['a ', '-💥', '+💦', ' b']],
    ['Send to me only', 'Send to all and me', ['Send to ', '-me only', '+all and me']],
  ])('from "%s" to "%s"', (before, after, expected) => {
    expect(shown(before, after)).toEqual(expected)
  })

  test('two words that share letters by chance are not mixed up', () => {
    expect(shown('the gate is open', 'the permission is open')).toEqual([
      'the ',
      '-gate',
      '+permission',
      ' is open',
    ])
  })

  test('long texts without anything in common are one segment each', () => {
    const before = Array.from({ length: 30_000 }, (_, index) => `a${index}`).join(' ')
    const after = Array.from({ length: 30_000 }, (_, index) => `b${index}`).join(' ')
    expect(textDifference(before, after).length).toBeLessThan(4)
    const short = before.slice(0, 8000)
    expect(textDifference(short, short.replaceAll('a', 'b')).length).toBeLessThan(4)
  })

  const unit = fc.oneof(
    fc.constantFrom('a', 'b', ' ', '\n', 'word', '💥', '💦', '\uD83D', '\uDCA5', '\u200B'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  )
  const text = fc.oneof(
    fc.string({ unit, maxLength: 40 }),
    fc.string({ unit, minLength: 300, maxLength: 500 }),
  )

  test('the segments make both texts, no two of a kind in a row, and no pair is split', () => {
    fc.assert(
      fc.property(text, text, fc.string({ unit, maxLength: 20 }), (one, other, common) => {
        const [before, after] = [`${one}${common}${other}`, `${other}${common}${one}`]
        const segments = textDifference(before, after)
        expect(without(segments, 'added')).toBe(before)
        expect(without(segments, 'removed')).toBe(after)
        segments.forEach(({ kind, text }, index) => {
          expect(text).not.toBe('')
          expect(segments[index + 1]?.kind).not.toBe(kind)
          if (kind === 'removed') expect(segments[index - 1]?.kind).not.toBe('added')
          if (!/\p{Cs}/u.test(before + after)) expect(text).not.toMatch(/\p{Cs}/u)
        })
      }),
    )
  })
})

describe('shortestEdit', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 14 })

  test('takes as few edits as the longest common list leaves, and says when that is too many', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const edits = before.length + after.length - 2 * longestCommon(before, after)
        const runs = shortestEdit(before, after, edits) ?? []
        const changed = runs.reduce((sum, { kind, from, to }) => sum + (kind === 'same' ? 0 : to - from), 0)
        expect(changed).toBe(edits)
        if (edits > 0) expect(shortestEdit(before, after, edits - 1)).toBeUndefined()
      }),
    )
  })
})

function longestCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0)
  for (const item of before) {
    const next = [0]
    after.forEach((other, index) => {
      next.push(item === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0))
    })
    row = next
  }
  return row.at(-1) ?? 0
}
