import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literalPieces, previewOf } from '../../../src/dialog/literal-text.ts'
import { runs } from '../../support/runs.ts'

/** As it is read: labels in brackets, a line break as a new line. */
function shown(text: string): string {
  return literalPieces(text)
    .map(({ kind, label }) => (kind === 'visible' ? label : `[${label}]`))
    .join('')
}

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
const bidi = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/
const tags = /[\u{E0000}-\u{E007F}]/u

const hostile = fc.constantFrom(
  ...['\u0000', '\u0007', '\u001B', '\u007F', '\u0085', '\u00A0', '\u00AD', '\u034F', '\u061C', '\u115F'],
  ...['\u180E', '\u200B', '\u200D', '\u200E', '\u202E', '\u2028', '\u2029', '\u2066', '\u2069', '\u2800'],
  ...['\u3000', '\u3164', '\uD800', '\uDC00', '\uFE0F', '\uFEFF', '\uFFA0', '\uFFFE', '\u{E0041}'],
  ...[
    '\u{E007F}',
    '\u{E0100}',
    '\u{10FFFF}',
    '\n',
    '\r',
    '\t',
    ' ',
    'a',
    'é',
    'א',
    '中',
    '😀',
    '⚠',
    '\u0301',
  ],
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(hostile, { maxLength: 60 }).map((parts) => parts.join('')),
)

describe('literalPieces', () => {
  test('cuts nothing: the sources of all pieces are the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          literalPieces(text)
            .map(({ source }) => source)
            .join(''),
        ).toBe(text)
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('shows no control, bidi, tag or otherwise invisible character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { label } of literalPieces(text)) {
          expect(label).not.toMatch(bidi)
          expect(label).not.toMatch(tags)
          // The emoji selector changes the symbol before it, which is seen.
          expect(label.replaceAll('\uFE0F', '')).not.toMatch(invisible)
        }
      }),
      { numRuns: runs(1_000) },
    )
  })

  test('keeps every visible character, in order', () => {
    const visibleOf = (text: string) =>
      text.replace(/[^\p{L}\p{N}\p{P}\p{S} ]|[\u115F\u3164\uFFA0\u2800]/gu, '')
    fc.assert(
      fc.property(anyText, (text) => {
        const pieces = literalPieces(text).filter(({ kind }) => kind === 'visible')
        expect(visibleOf(pieces.map(({ label }) => label).join(''))).toBe(
          visibleOf(text.replace(/ {41,}|\uFFFC/g, '')),
        )
      }),
      { numRuns: runs(1_000) },
    )
  })

  test.each([
    ['hello, wörld 中文 שלום', 'hello, wörld 中文 שלום'],
    ['gpj\u202Eexe', 'gpj[U+202E]exe'],
    ['a\u200Bb\u00ADc\uFEFFd', 'a[U+200B]b[U+00AD]c[U+FEFF]d'],
    ['a\u0000b\u001B[2J', 'a[U+0000]b[U+001B][2J'],
    ['x\u00A0y\u3000z\u2003', 'x[U+00A0]y[U+3000]z[U+2003]'],
    ['\uD800a\uDC00', '[U+D800]a[U+DC00]'],
    ['ok\u{E0068}\u{E0069}', 'ok[U+E0068 U+E0069]'],
    ['\u3164\u2800', '[U+3164 U+2800]'],
    ['one\ttwo\r\nthree', 'one[⇥]two[U+000D][↵]three'],
    ['a\n\nb', 'a[↵][↵]b'],
    [`a${'\n'.repeat(900)}b`, 'a[↵ ×900]b'],
    [`a${'\u200B'.repeat(5_000)}b`, 'a[U+200B ×5000]b'],
    [`rm${' '.repeat(500)}x`, 'rm[U+0020 ×500]x'],
    [`if${' '.repeat(40)}x`, `if${' '.repeat(40)}x`],
  ])('shows %j as %j', (text, expected) => {
    expect(shown(text)).toBe(expected)
  })

  test('keeps the emoji selector where it is seen, and marks it where it hides', () => {
    expect(shown('⚠\uFE0F❤\uFE0F')).toBe('⚠\uFE0F❤\uFE0F')
    expect(shown('⚠\uFE0F\uFE0F')).toBe('⚠\uFE0F[U+FE0F]')
    expect(shown('a\uFE0F')).toBe('a[U+FE0F]')
    expect(shown('😀\uFE0F')).toBe('😀[U+FE0F]')
    expect(shown('👩\u200D💻')).toBe('👩[U+200D]💻')
  })

  test('marks accents that sit on nothing or are piled up', () => {
    expect(shown('e\u0301')).toBe('e\u0301')
    expect(shown('\u0301e')).toBe('[U+0301]e')
    expect(shown(`a${'\u0301'.repeat(9)}`)).toBe(`a${'\u0301'.repeat(4)}[U+0301 ×5]`)
  })

  test('takes a hundred thousand hidden characters in one piece', () => {
    expect(literalPieces('\u200B\u200C'.repeat(50_000))).toHaveLength(1)
  })
})

describe('previewOf', () => {
  test('leaves a short text alone', () => {
    expect(previewOf('')).toBeUndefined()
    expect(previewOf('a'.repeat(480))).toBeUndefined()
    expect(previewOf('a\n'.repeat(13))).toBeUndefined()
  })

  test('gives the beginning and the end of a long one, and counts what is between', () => {
    const text = `${'a'.repeat(300)}${'b'.repeat(300)}`
    expect(previewOf(text)).toEqual({ start: 'a'.repeat(200), omitted: 320, end: 'b'.repeat(80) })
    const lines = Array.from({ length: 20 }, (_, line) => `${line}`).join('\n')
    expect(previewOf(lines)).toMatchObject({ start: '0\n1\n2\n3\n4', end: '18\n19' })
  })

  test('always adds up, and never tears a character in two', () => {
    const long = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 481, maxLength: 900, size: 'max' }),
      fc
        .array(fc.constantFrom('😀', 'a', '\n'), { minLength: 481, maxLength: 700, size: 'max' })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(long, (text) => {
        const { start, omitted, end } = previewOf(text) ?? expect.unreachable()
        expect(text.startsWith(start)).toBe(true)
        expect(text.endsWith(end)).toBe(true)
        expect(start.length + omitted + end.length).toBe(text.length)
        expect(omitted).toBeGreaterThan(0)
        expect(`${start}|${end}`).not.toMatch(/\p{Cs}/u)
      }),
    )
  })
})
