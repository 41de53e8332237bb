import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitCommand } from '../../../../src/companion/shell/split-command.ts'

function words(command: string): string[] {
  const split = splitCommand(command)
  if ('problem' in split) throw new Error(split.problem.code)
  return split.value
}

function problem(command: string): string {
  const split = splitCommand(command)
  return 'problem' in split
    ? `${split.problem.code} ${split.problem.found} ${split.problem.position}`
    : 'none'
}

describe('a command is split as a POSIX shell splits plain words', () => {
  test.each([
    ['a  b\tc', ['a', 'b', 'c']],
    [' a ', ['a']],
    ['a \'\' ""', ['a', '', '']],
    ['\'a b\'c"d e"', ['a bcd e']],
    ['a\\ b', ['a b']],
    ['"a\\"b\\\\c\\d"', ['a"b\\c\\d']],
    ["'a\\b'", ['a\\b']],
    ['grep ">" f', ['grep', '>', 'f']],
    ["grep '&&' f", ['grep', '&&', 'f']],
    ['git show HEAD~1:a#b', ['git', 'show', 'HEAD~1:a#b']],
    ['echo #x', ['echo', '#x']],
    ['git log HEAD@{1} HEAD^ a..b', ['git', 'log', 'HEAD@{1}', 'HEAD^', 'a..b']],
    ["grep 'a$' b$ x=y", ['grep', 'a$', 'b$', 'x=y']],
    ['echo "a\nb"', ['echo', 'a\nb']],
    ['echo a\\\nb', ['echo', 'ab']],
    ['echo 中文 %PATH% a~ !', ['echo', '中文', '%PATH%', 'a~', '!']],
  ])('%j', (command, expected) => {
    expect(words(command)).toEqual(expected)
  })

  test('I06 quotes and line ends inside of quotes stay in one word', () => {
    expect(words('echo "\\"; id; echo \\""')).toEqual(['echo', '"; id; echo "'])
    expect(words("echo 'a\n id'")).toEqual(['echo', 'a\n id'])
    expect(words('echo "a\r\nb"')).toEqual(['echo', 'a\r\nb'])
    expect(problem('echo "a\0b"')).toBe('unsendable \0 8')
  })
})

describe('what a shell would do more with is refused:', () => {
  test.each([
    ['echo $(id)', 'expansion $(id) 6'],
    ['echo `id`', 'expansion `id` 6'],
    ['cat $HOME/.config/x', 'expansion $HOME/.config/x 5'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is for a shell.
    ['cat ${IFS}f', 'expansion ${IFS}f 5'],
    ['echo =id', 'expansion =id 6'],
    ['cat ~/x', 'expansion ~/x 5'],
    ['ls *', 'expansion * 4'],
    ['cat $env:APPDATA\\x', 'expansion $env:APPDATA\\x 5'],
    ['(PATH=/tmp; git status)', 'operator ( 1'],
  ])('I05 %s', (command, expected) => {
    expect(problem(command)).toBe(expected)
  })

  test.each([
    ['echo "$(id)"', 'expansion $(id) 7'],
    ['echo "a`id`"', 'expansion `id` 8'],
    ['ls a?', 'expansion ? 5'],
    ['ls [ab]', 'expansion [ab] 4'],
    ['ls {a,b} {1..3}', 'expansion {a,b} 4'],
    ["echo $'a'", "expansion $'a' 6"],
    ['a && b', 'operator && 3'],
    ['a 2>&1', 'operator >& 4'],
    ['a\nb', 'operator \n 2'],
    ['a\rb', 'operator \r 2'],
    ["a 'b", "unclosedQuote ' 3"],
    ['a "b', 'unclosedQuote " 3'],
    ['a \\', 'strayBackslash \\ 3'],
    ['   ', 'empty  undefined'],
    ['a \ud800', 'unsendable \ud800 3'],
    [`a ${'b'.repeat(16_384)}`, 'tooLong 16386 characters undefined'],
  ])('%j', (command, expected) => {
    expect(problem(command)).toBe(expected)
  })
})

const unsendable = /[\0\p{Surrogate}]/u
const anyWord = fc.string({ unit: 'grapheme' }).filter((word) => !unsendable.test(word))

test('no text makes it throw, and every word of it is made of characters of the text', () => {
  const nasty = fc.string({ unit: fc.constantFrom(...' \t\n\\\'"$`(){}[]*?~=#&|;<>ab.,\0\ud800') })
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string({ unit: 'binary' })), (command) => {
      const split = splitCommand(command)
      if ('problem' in split) return
      for (const word of split.value) for (const sign of word) expect(command).toContain(sign)
    }),
  )
})

test('words in quotes of either kind come back as they were', () => {
  const single = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
  const double = (word: string): string => `"${word.replace(/["\\$`]/g, '\\$&')}"`
  fc.assert(
    fc.property(fc.array(fc.tuple(anyWord, fc.boolean()), { minLength: 1 }), (list) => {
      const command = list.map(([word, simple]) => (simple ? single(word) : double(word))).join(' ')
      expect(words(command)).toEqual(list.map(([word]) => word))
    }),
  )
})
