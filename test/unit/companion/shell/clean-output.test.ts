import fc from 'fast-check'
import { expect, test } from 'vitest'
import { outputCleaner } from '../../../../src/companion/shell/clean-output.ts'

function clean(...pieces: string[]): string {
  const cleaner = outputCleaner()
  return pieces.map((piece) => cleaner.clean(piece)).join('')
}

test.each([
  ['colours', '\x1b[31;1mred\x1b[0m', 'red'],
  ['a clipboard write', 'a\x1b]52;c;aGk=\x07b', 'ab'],
  ['a link', '\x1b]8;;https://evil.example\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['a title', '\x1b]0;title\x07x', 'x'],
  ['a device string', 'a\x1bPq#0\x1b\\b', 'ab'],
  ['forms of one character', 'a\x9b31mb\x9d52;c;x\x9cc', 'abc'],
  ['moves of the cursor', 'a\x1b[2K\x1b[1Gb\x1bc\x1b(B', 'ab'],
  ['marks of direction', 'a\u202eb\u2066c\u200fd', 'abcd'],
  ['letters that nobody sees', 'a\u{e0041}b', 'ab'],
  ['control characters', 'a\x01\x08\x7fb\tc', 'ab\tc'],
  ['NUL between names', 'a\0b\0', 'a\nb\n'],
  ['returns', 'safe\rno\r\nend\n', 'safe\nno\nend\n'],
  ['an unfinished string, up to the end of its line', 'a\x1b]52;c;aGk=\nb', 'a\nb'],
])('%s: taken out of output', (_what, output, expected) => {
  expect(clean(output)).toBe(expected)
  expect(clean(...output), 'in pieces of one character').toBe(expected)
})

test('plain text of any language stays as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '中', '😀', '👩‍👩‍👧', '\n', '\t', ' ', '~')), (signs) => {
      expect(clean(signs.join(''))).toBe(signs.join(''))
    }),
  )
})

test('nothing that a terminal obeys gets through, however it is split', () => {
  const nasty = fc.array(
    fc.string({
      unit: fc.constantFrom('\x1b', '[', ']', '\\', '\x07', '\x9d', 'm', '\r', '\n', '\u202e', 'x'),
    }),
  )
  fc.assert(
    fc.property(nasty, (pieces) => {
      expect(clean(...pieces)).not.toMatch(/[^\P{Cc}\n\t]|\u202e/u)
    }),
  )
})
