import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableHost } from '../../../src/tool/punycode.ts'

describe('readableHost', () => {
  // RFC 3492 §7.1, and names as they are used.
  it.each([
    ['xn--80ak6aa92e.com', 'аррӏе.com'],
    ['www.xn--mnchen-3ya.example', 'www.münchen.example'],
    ['xn--ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
    ['xn--egbpdaj6bu4bxfgehfvwxn', 'ليهمابتكلموشعربي؟'],
    ['xn--n3h.net', '☃.net'],
    ['xn--3e0b707e', '한국'],
    ['example.org', 'example.org'],
  ])('%s reads %s', (host, readable) => {
    expect(readableHost(host)).toBe(readable)
  })

  it.each(['xn--', 'xn--999999999999', 'xn--a-\u0000', 'xn--ÿ', 'xn--80ak6aa92'])(
    'leaves %s as it is, or reads it without failing',
    (host) => {
      expect(typeof readableHost(host)).toBe('string')
    },
  )

  it('is the way back from what a browser makes of a name', () => {
    const letter = fc.constantFrom(...'abcxyz0189äöüñéабвгдέλπ中文字漢日本語한국어')
    const label = fc.string({ unit: letter, minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(label, (label) => {
        const ascii = domainToASCII(`${label}.example`)
        if (ascii !== '') expect(readableHost(ascii)).toBe(`${label}.example`.normalize('NFC'))
      }),
    )
  })

  it('reads any text without failing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readableHost(`xn--${text}`)))
  })
})
