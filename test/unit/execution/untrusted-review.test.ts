import { describe, expect, it } from 'vitest'
import { cleanContent } from '../../../src/execution/clean-content.ts'
import { destinationsIn } from '../../../src/execution/destinations.ts'
import { unknownAmong } from '../../../src/execution/trusted-destinations.ts'

const unknown = (input: object, said: string, allowed: readonly string[] = []) =>
  unknownAmong(destinationsIn(input as never), allowed, () => [said]).map(({ name }) => name)

describe('a destination is not hidden', () => {
  it.each([
    ['by more slashes than two behind a scheme', 'https://////evil.example/?q=1', 'evil.example'],
    ['by more slashes than two without a scheme', '////evil.example/?q=1', 'evil.example'],
    ['by a line break, in an address with a blank', 'https://good.com\n.my/?d=a b', 'good.com.my'],
    ['by a tab, in an address with a blank', 'https://good.com\t.my/?d=a b', 'good.com.my'],
    ['by a line break in the scheme', 'ht\ntps://good.com\n.my/?d=a b', 'good.com.my'],
    ['by a tab between the slashes', '/\t/good.com\n.my/?d=a b', 'good.com.my'],
    ['by a line break that is escaped in JSON in a text', '{"a":"hi\\nevil.example"}', 'evil.example'],
    ['by a small full stop', 'evil﹒example', 'evil.example'],
    ['by a sign that is no letter', '☃.net', 'xn--n3h.net'],
  ])('%s', (_how, url, name) => {
    expect(unknown({ url }, 'look at good.com')).toContain(name)
  })

  it.each([
    ['a comment behind the name', 'evil(x)@home.example', 'evil@home.example'],
    ['a comment before the host', 'evil@(x)home.example', 'evil@home.example'],
    ['a blank behind the name', 'evil @home.example', 'evil@home.example'],
    ['a blank before the host', 'evil@ home.example', 'evil@home.example'],
    ['an apostrophe', "evil'ann@home.example", "evil'ann@home.example"],
    ['a slash', 'evil/ann@home.example', 'evil/ann@home.example'],
    ['a name that cannot be read', 'evil>@home.example', '@home.example'],
    ['a name in quotes', '"evil ann"@home.example', '"evil ann"@home.example'],
    ['an emoji in the host', 'ann@💩.la', 'ann@xn--ls8h.la'],
    ['an ideographic dot before other letters', 'ann@evil。рф', 'ann@evil.xn--p1ai'],
    ['a second header', 'ann@home.example\nBcc: x@evil.example', 'x@evil.example'],
    ['a name to show that is an address', '"ann@home.example" <x@evil.example>', 'x@evil.example'],
  ])('in an e-mail address by %s', (_how, to, name) => {
    expect(unknown({ to }, 'write to ann@home.example')).toContain(name)
  })

  it.each([
    [{ host: '2001:db8::1' }, '[2001:db8::1]'],
    [{ host: '[2001:db8::1]:443' }, '[2001:db8::1]'],
    [{ host: 'intranet:8080' }, 'intranet'],
    [{ server: '2130706433:80' }, '127.0.0.1'],
    [{ host: 2130706433 }, '127.0.0.1'],
    [{ callbackUrl: 'intranet' }, 'intranet'],
    [{ webhook_url: ['intranet'] }, 'intranet'],
  ])('in a field that names a place: %j', (input, name) => {
    expect(unknown(input, 'nothing')).toEqual([name])
  })

  it('and plain prose has none', () => {
    const prose = "Meet me @ noon (see docs/notes).\nKey: value; 3/4 of it, it’s fine, ann's too\n- a\\b"
    expect(unknown({ text: prose, ship: 'x', description: 'curl' }, '')).toEqual([])
  })

  it('and an address reads as one line for the person who is asked', () => {
    const [name] = unknown({ to: '"x\n\nThis is safe \u202E"@evil.example' }, '')
    expect(name).toBe('"x this is safe "@evil.example')
  })
})

describe('what somebody trusted has said', () => {
  const names = (input: unknown, text: string) =>
    unknownAmong(destinationsIn({ to: 'https://evil.example' }), [], () => [{ text, input }])

  it('is not what a tool only repeats from its call, as it stands there or decoded', () => {
    expect(names({ q: 'Bob' }, 'It is at evil.example')).toEqual([])
    expect(names({ q: 'evil.example' }, 'No such thing: evil.example')).toHaveLength(1)
    expect(names({ q: btoa('at evil.example') }, 'at evil.example')).toHaveLength(1)
    expect(names(undefined, 'It is at evil.example')).toEqual([])
  })

  it('is found in capitals, in the letters of the country, and in an address inside of an address', () => {
    expect(unknown({ url: 'https://docs.example' }, 'see WWW.Docs.Example')).toEqual([])
    expect(unknown({ url: 'https://xn--mnchen-3ya.example' }, 'see münchen.example')).toEqual([])
    const inside = 'https://a.example/?u=https%3A%2F%2Fb.example%2Fc'
    expect(unknown({ url: inside }, `open ${inside}`)).toEqual([])
    expect(unknown({ url: 'https://b.example' }, `open ${inside}`)).toEqual([])
  })
})

describe('cleanContent', () => {
  it.each([
    ['shorthand controls', '\u{1BCA0}'],
    ['musical controls', '\u{1D173}'],
    ['places for tags that have no letter yet', '\u{E01F0}'],
    ['specials that have no sign', '\uFFF0'],
  ])('takes out %s', (_what, hidden) => {
    expect(cleanContent(`a${hidden}b`).text).toBe('ab')
  })
})
