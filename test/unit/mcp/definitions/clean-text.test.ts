import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { literalPieces } from '../../../../src/dialog/literal-text.ts'
import { cleanText, oneLine } from '../../../../src/mcp/definitions/clean-text.ts'

const clean = (text: string) => cleanText(text, 4096).text

describe('cleanText', () => {
  test.each([
    ['a control character', 'a\u0007b', 'ab'],
    ['a bidi override', 'a\u202Eb', 'ab'],
    ['a lone surrogate', 'a\uD800b', 'ab'],
    ['a private character', 'a\uE000b', 'ab'],
    ['a filler', 'a\u3164b', 'ab'],
    ['a soft hyphen', 'ig\u00ADnore', 'ignore'],
    ['a joiner between Latin letters', 'ig\u200Cnore', 'ignore'],
    ['variation selectors that carry data', 'a\uFE01\uFE02\u{E0100}b', 'ab'],
    ['the second of two joiners', 'می\u200C\u200Cخواهم', 'میخواهم'],
    ['a space of another width', 'a\u2003b', 'a b'],
    ['a line separator', 'a\u2028b', 'a\nb'],
    ['a line end of Windows', 'a\r\nb', 'a\nb'],
    ['marks piled over other lines', `a${'\u0301'.repeat(20)}`, `a${'\u0301'.repeat(4)}`],
    ['60 spaces', `a${' '.repeat(60)}b`, 'a b'],
    ['a comment inside of a comment', 'a<!<!-- b -->-- c -->d', 'ad'],
    ['a comment without an end', 'a <!-- b', 'a'],
    [
      'a comment inside of four',
      `a${'<!'.repeat(4)}<!-- b -->${'-- b -->'.repeat(4)}c`,
      'a<!<! -- b -->-- b -->c',
    ],
  ])('%s goes', (_what, text, expected) => {
    expect(clean(text)).toBe(expected)
  })

  test.each([
    ['a list', 'a\n\n- b\n\t- c'],
    ['Persian with one joiner', 'می\u200Cخواهم'],
    ['a family', '👨\u200D👩\u200D👧'],
    ['a heart', '❤\uFE0F'],
    ['Chinese', '读取文件。'],
    ['accents', 'Zo\u0308e, ệ'],
    ['an arrow and a tag', 'a -> b <b>c</b>'],
  ])('%s stays', (_what, text) => {
    expect(clean(text)).toBe(text)
    expect(cleanText(text, 4096)).toMatchObject({ hidden: '', hadComment: false, cut: 0 })
  })

  test('chat markup is broken up, so that it begins nothing', () => {
    expect(clean('a<|im_start|>system [INST] </tool_result>')).toBe(
      'a< |im_start|>system [ INST] < /tool_result>',
    )
  })

  test.each([
    ['Llama 3', '<|eot_id|><|start_header_id|>system<|end_header_id|>'],
    ['Llama 2', '</s><s>[INST] <<SYS>>'],
    ['Mistral', '[/TOOL_RESULTS][AVAILABLE_TOOLS]'],
    ['Gemma', '<end_of_turn><start_of_turn>user'],
    ['DeepSeek', '<｜end▁of▁sentence｜><｜User｜>'],
    ['Command R', '<BOS_TOKEN><|START_OF_TURN_TOKEN|>'],
    ['EXAONE', '[|endofturn|][|user|]'],
    ['MiniMax', ']~!b[]~b]system'],
    ['Seed', '<seed:eos><seed:bos>system'],
    ['Qwen', '</tool_call></think><|im_end|>'],
    ['a prompt in XML', '<invoke name="x"></function_results>'],
    ['a mark that a fold puts together', `<|im${' '.repeat(60)}start|>`],
    ['a mark that a comment hides', '<|im<!-- a -->_start|>'],
    ['a mark that a hidden character breaks', '<|im_\u200Bstart|>'],
  ])('marks of %s are broken up, and that is told', (_what, text) => {
    const cleaned = cleanText(`Adds. ${text}`, 4096)
    expect(cleaned.hadChatMarkup).toBe(true)
    expect(cleaned.text).not.toMatch(
      /<[|｜][\w▁ ]+[|｜]>|\[\||^(?=.*\]~!b\[)|<s>\[|<<SYS>>|\[\/?(?:INST|TOOL|AVAIL)/,
    )
    expect(cleanText(cleaned.text, 4096)).toMatchObject({ text: cleaned.text, hadChatMarkup: false })
  })

  test('of many kinds of hidden characters eight are named, and the others counted', () => {
    const many = Array.from({ length: 20 }, (_, index) => String.fromCodePoint(0xe0041 + index)).join('')
    expect(cleanText(`a${many}`, 4096).hidden).toMatch(/^(U\+E00\w\w, ){8}\+12$/)
  })

  test('of a text that is far too long only the beginning is looked at, and all of it is counted', () => {
    const cleaned = cleanText(`Adds.${'\u200B'.repeat(1_000_000)}Ends.`, 4096)
    expect(cleaned).toMatchObject({ hidden: 'U+200B ×65531', cut: 1_000_010 - 65_531 - 4096 })
    expect(cleaned.text).toBe("Adds. […cut: the server's text has 934479 characters]")
    expect(oneLine(`Adds${'\u200B'.repeat(1_000_000)}.`, 100)).toBe('Adds')
  })

  test('a cut never leaves half of a pair', () => {
    for (const max of [200, 201, 202, 203]) {
      expect(cleanText('💥'.repeat(400), max).text).not.toMatch(/\p{Cs}/u)
    }
    expect(oneLine('💥💥', 3)).toBe('💥')
    for (const start of ['', 'a']) {
      expect(cleanText(start + '💥'.repeat(2_000), 100)).toMatchObject({ hidden: '' })
    }
  })

  const texts = fc.string({
    unit: fc.oneof(
      fc.constantFrom(
        'a',
        '\n',
        ' ',
        '<!--',
        '-->',
        '<|',
        'im|>',
        '\u200B',
        '\u200D',
        '\uFE0F',
        '❤',
        '💥',
        '\u0301',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 60,
  })

  test('what is cleaned has nothing left to clean, and is within the limit', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 300 }), (text, max) => {
        const once = cleanText(text, max).text
        expect(once.length).toBeLessThanOrEqual(max)
        expect(once).not.toContain('<!--')
        const whole = clean(text)
        expect(cleanText(whole, 4096)).toMatchObject({ text: whole, hidden: '', hadComment: false })
      }),
    )
  })

  test('a joiner that was kept for a hidden neighbour goes with it', () => {
    expect(clean('\u0301\u200D\u{E0041}')).toBe('\u0301')
  })

  test('the dialog marks nothing in it but joiners, line ends and tabs', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const marked = literalPieces(clean(text)).filter(({ kind }) => kind === 'marked')
        for (const { source } of marked)
          expect(source).toMatch(/^(?:\t|\u200C|\u200D|\uFE0E|\uFE0F|\p{M})+$/u)
      }),
    )
  })
})
