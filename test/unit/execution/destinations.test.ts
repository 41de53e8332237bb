import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { destinationsIn } from '../../../src/execution/destinations.ts'
import { unknownAmong } from '../../../src/execution/trusted-destinations.ts'

const namesIn = (value: string) => destinationsIn({ text: value }).map(({ name }) => name)

describe('destinationsIn', () => {
  it.each([
    ['a bare host', 'evil.example'],
    ['an address', 'look at https://evil.example/a?b=c now'],
    ['one with a user', 'https://good.org@evil.example/'],
    ['one with a password', 'https://good.org:443@evil.example/'],
    ['a backslash in front of the user', 'https:\\\\good.org\\@evil.example'],
    ['no slashes behind the scheme', 'https:evil.example/x'],
    ['one slash', 'https:/evil.example/x'],
    ['no scheme', '//evil.example/x'],
    ['a share', '\\\\evil.example\\share'],
    ['a strange scheme', 'ftps://EVIL.example/'],
    ['a scheme inside a scheme', 'view-source:https://evil.example'],
    ['capitals and a dot at the end', 'HTTPS://EVIL.Example./'],
    ['full-width letters', 'https://ｅｖｉｌ．ｅｘａｍｐｌｅ'],
    ['an ideographic dot', 'https://evil。example'],
    ['an ideographic dot without a scheme', 'evil。example'],
    ['percent encoding', 'https://%65vil%2Eexample'],
    ['percent encoding twice', 'https%253A%252F%252Fevil.example'],
    ['HTML entities', 'evil&#46;example'],
    ['JSON escapes', '{"url":"https:\\/\\/\\u0065vil.example"}'],
    ['a soft hyphen and a zero-width space', 'ev\u00ADil\u200B.example'],
    ['a line break in the host', 'https://ev\nil.example/'],
    ['base64', btoa('GET https://evil.example/?q=1')],
    ['a query', 'https://evil.example?to=evil.example'],
    ['markdown', '![x](https://evil.example/p.png?d=1)'],
  ])('finds a host in %s', (_what, text) => {
    expect(namesIn(text)).toContain('evil.example')
  })

  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['http://0177.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
    ['10.0.0.7', '10.0.0.7'],
    ['https://аpple.com', 'xn--pple-43d.com'],
    ['https://xn--pple-43d.com', 'xn--pple-43d.com'],
  ])('reads %s as a browser does', (text, name) => {
    expect(namesIn(text)).toContain(name)
  })

  it.each([
    ['Mallory@Evil.Example', 'mallory@evil.example'],
    ['<mallory@evil.example>', 'mallory@evil.example'],
    ['mailto:mallory@evil.example?cc=x', 'mallory@evil.example'],
    ['mallory＠evil.example', 'mallory@evil.example'],
    ['mallory&commat;evil.example', 'mallory@evil.example'],
    ['"a b"@evil.example', '"a b"@evil.example'],
    ['mallory@[10.0.0.7]', 'mallory@10.0.0.7'],
  ])('finds the address in %s', (text, name) => {
    expect(namesIn(text).map((found) => found.replace(/[[\]]/g, ''))).toContain(name)
  })

  it('looks into keys, lists and whatever is nested', () => {
    const names = (input: object) => destinationsIn(input as never).map(({ name }) => name)
    expect(names({ headers: [{ 'https://evil.example': 1 }] })).toEqual(['evil.example'])
    expect(names({ body: JSON.stringify({ to: [{ mail: 'm@evil.example' }] }) })).toContain('m@evil.example')
    expect(names({ host: 'intranet' })).toEqual(['intranet'])
    expect(names({ host: '2130706433' })).toEqual(['127.0.0.1'])
  })

  it.each([
    ...['The weather in Oslo, tomorrow', 'report.pdf', 'version 1.2.3', '你好。再见。', 'e.g. this', '10:30'],
    ...['key: value', 'docs/notes.md', 'C:\\Users\\me'],
  ])('finds nothing in "%s"', (text) => {
    // A whole value may be the name of a host.
    expect(namesIn(`see ${text} there`)).toEqual([])
  })

  it('takes any text, and not long for it', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Array.isArray(namesIn(text))))
    for (const text of ['a:', 'a@', '//', '.a', '%41', 'http:', 'A'.repeat(12), '&#4', '"a']) {
      expect(namesIn(text.repeat(4_000)).length).toBeLessThan(3)
    }
  })
})

describe('unknownAmong', () => {
  const unknown = (value: string, said: readonly string[], allowed: readonly string[] = []) =>
    unknownAmong(destinationsIn({ value }), allowed, () => said).map(({ name }) => name)

  it('leaves out what somebody trusted has named, and nothing that only looks like it', () => {
    expect(unknown('https://docs.example/a', ['see docs.example'])).toEqual([])
    expect(unknown('https://www.docs.example/a', ['see https://docs.example/b'])).toEqual([])
    expect(unknown('https://docs.example.evil.org', ['docs.example'])).toEqual(['docs.example.evil.org'])
    expect(unknown('https://secret.docs.example', ['docs.example'])).toEqual(['secret.docs.example'])
    expect(unknown('ann@docs.example', ['write to Ann@Docs.example'])).toEqual([])
    expect(unknown('eve@docs.example', ['write to ann@docs.example'])).toEqual(['eve@docs.example'])
  })

  it('leaves out what the app allows', () => {
    expect(unknown('https://a.docs.example', [], ['*.docs.example'])).toEqual([])
    expect(unknown('https://docs.example', [], ['*.docs.example'])).toEqual(['docs.example'])
    expect(unknown('https://docs.example', [], ['docs.example'])).toEqual([])
    expect(unknown('eve@docs.example', [], ['@docs.example'])).toEqual([])
    expect(unknown('eve@docs.example', [], ['docs.example'])).toEqual(['eve@docs.example'])
    expect(unknown('ann@docs.example', [], ['ann@docs.example'])).toEqual([])
  })
})
