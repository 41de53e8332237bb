import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endMark, readText } from '../../../src/retrieval/tokenizer.ts'

function termsOf(text: string): string[] {
  return readText(text).words.map(({ term }) => term.replace(endMark, ''))
}

describe('readText', () => {
  it.each([
    ['getHTTPResponse2Json', ['get', 'http', 'respons', '2', 'json']],
    ['api_token.APITokenApi-get', ['api', 'token', 'api', 'token', 'api', 'get']],
    ['canvas__create_edge', ['canva', 'creat', 'edg']],
    ['ｗｅａｔｈｅｒ Café ＡＢＣ ﬁle', ['weather', 'cafe', 'abc', 'file']],
    ['Ünïcode straße Привет', ['unicod', 'straße', 'привет']],
    ["don't use the user's files", ['us', 'user', 'file']],
    ['天气预报', ['天', '天气', '气', '气预', '预', '预报', '报']],
    ['我的API天气', ['我的', 'api', '天', '天气', '气']],
    ['が', ['が']],
    ['', []],
  ])('reads %s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('ends every term with a mark that no text gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { term } of readText(`${text}${endMark}`).words)
          expect(term.indexOf(endMark)).toBe(term.length - 1)
      }),
    )
  })

  it('says where each word stands in the normalized text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (raw) => {
        const { text, words } = readText(raw)
        for (const { start, end, term } of words) {
          expect(readText(text.slice(start, end)).words.map((word) => word.term)).toContain(term)
        }
      }),
    )
  })

  it('reads only so much of a very long text', () => {
    expect(termsOf('word '.repeat(100_000))).toHaveLength(4_000)
    expect(termsOf('ﷺ'.repeat(100_000)).join('').length).toBeLessThan(20_001)
  })
})
