import fc from 'fast-check'
import { NoteStore } from 'offstage/tools'
import { describe, expect, it } from 'vitest'
import { noteId } from '../../../../src/tools/notes/note-id.ts'
import { foldPath, isInside, readNotePath } from '../../../../src/tools/notes/note-path.ts'

let stores = 0

function emptyStore(): NoteStore {
  stores += 1
  return new NoteStore({ root: `note-path-test-${stores}` })
}

async function pathsAfterAppend(path: string): Promise<unknown> {
  const store = emptyStore()
  const refused = await store.append(path, 'text').then(
    () => undefined,
    (error: { code: unknown }) => error.code,
  )
  const paths = (await store.list()).map((note) => note.path)
  return refused === undefined ? paths : { refused, paths }
}

const refused = { refused: 'note-path', paths: [] }

describe('a path', () => {
  it.each([
    ['J06', 'a.md\u0000.png'],
    ['J06', 'secret.json\u0000UserInfo.json'],
    ['J06', '..\\x'],
    ['J06', '....//x'],
    ['J06', '..%2fx'],
    ['J08', 'CON'],
    ['J08', 'NUL.md'],
    ['J08', 'aux.txt'],
    ['J08', 'note.'],
    ['J08', 'note '],
    ['J08', 'a:stream'],
    ['J08', 'a?b'],
    ['J08', '.git/config'],
    ['J08', '.hidden'],
    ['J11', 'C:\\x'],
    ['J11', 'C:x'],
    ['J11', '\\\\srv\\share\\x'],
    ['J11', '\\\\.\\C:\\x'],
    ['J11', '//srv/x'],
    ['J11', 'file:///x'],
    ['J11', '~/x'],
    ['J13', ':(top)'],
    ['J13', ':/'],
    ['J13', ':!x'],
    ['J13', '**/../x'],
  ])('%s %j is refused, with the one code, and makes nothing', async (_case, path) => {
    expect(await pathsAfterAppend(path)).toEqual(refused)
  })

  it.each([
    ...['', '.', '..', '/', '/etc/passwd', 'a/', 'a//b', 'a/./b', 'a/../b', '../a', 'a/..', './a', '~root/x'],
    ...[
      ' a',
      'a/ b',
      'a /b',
      'a.\u00a0',
      'com1',
      'LPT9.md',
      'CoM¹.txt',
      'work/con.md/x',
      'conin$',
      'nul .md',
    ],
    ...[
      'a<b',
      'a>b',
      'a"b',
      'a|b',
      'a*b',
      'a\nb',
      'a\u202eb',
      'a\u200bb',
      'a\ufeffb',
      'a\ud800b',
      'a\u2028b',
    ],
    ...['x'.repeat(201), '長'.repeat(90), 'https://example.org/x', 'data:text/plain,x', '\u{e0041}'],
  ])('%j is refused too', async (path) => {
    expect(await pathsAfterAppend(path)).toEqual(refused)
  })

  it.each(
    [
      ['J06', '%2e%2e%5cx'],
      ['J06', '%252e%252e/x'],
      ['J06', 'a.md%00.png'],
      ['J08', 'console.md'],
      ['J08', 'nulls'],
      ...[
        'work/ideas.md',
        'a.b.c/d..e',
        'Ärger 2026 – (neu).md',
        '-rf',
        '日記/今日.md',
        '__proto__',
        'constructor',
      ],
      ...['👨‍👩‍👧.md', 'می‌خواهم.md', "it's $(x) & `y` [z] {1}", 'x'.repeat(200), 'a~b'],
    ].map((row) => (Array.isArray(row) ? row : ['   ', row])),
  )('%s %j is taken as it is, and listed under the same name', async (_case, path = '') => {
    expect(await pathsAfterAppend(path)).toEqual([path])
  })

  it('means one note whether its letters are composed or not', async () => {
    const store = emptyStore()
    await store.append('cafe\u0301.md', 'one')
    await store.append('caf\u00e9.md', 'two')
    expect((await store.list()).map(({ path }) => path)).toEqual(['caf\u00e9.md'])
    expect((await store.read('cafe\u0301.md'))?.text).toBe('one\ntwo\n')
  })

  it('J10 means another note in another case', async () => {
    const store = emptyStore()
    await store.append('A.md', 'upper')
    await store.append('a.md', 'lower')
    expect((await store.list()).map(({ path }) => path)).toEqual(['A.md', 'a.md'])
    expect([(await store.read('A.md'))?.text, (await store.read('a.md'))?.text]).toEqual([
      'upper\n',
      'lower\n',
    ])
  })
})

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('.', '/', '\\', '~', ':', ' ', 'a', 'B', '%', 'é', 'e\u0301', '\u0000'),
  }),
)

describe('whatever text is given as a path', () => {
  it('what is taken stays inside, has no hidden or special name, and reads as itself', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const read = readNotePath(given)
        if ('problem' in read) {
          expect(read.problem).toMatchObject({ code: 'note-path' })
          return
        }
        const { path } = read
        expect(path).toBe(given.normalize('NFC'))
        expect(readNotePath(path)).toEqual({ path })
        expect(new URL(encodeURIComponent(path).replaceAll('%2F', '/'), 'file:///root/').pathname).toMatch(
          /^\/root\/./,
        )
        for (const name of path.split('/')) expect(name).toMatch(/^[^.\s~\\:](?:.*[^.\s])?$|^~/su)
      }),
    )
  })

  it('its file name is one that every engine takes, and its own', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (one, other) => {
        const [first, second] = await Promise.all([noteId(one), noteId(other)])
        for (const id of [first, second]) expect(id).toMatch(/^[a-z0-9-]{1,97}$/)
        expect(first === second).toBe(one === other)
      }),
    )
  })
})

describe('a protected path', () => {
  it.each(['private/key.md', 'Private/Key.md', 'PRIVATE/KEY.MD', 'ｐrivate/key.md', 'private/\u212aey.md'])(
    'J10 covers %s',
    (path) => {
      expect(isInside(path, ['private/key.md'])).toBe(true)
      expect(isInside(path, ['PRIVATE'])).toBe(true)
      expect(isInside(path, ['private/'])).toBe(true)
    },
  )

  it('J01 covers whole names only', () => {
    for (const path of ['private-notes/a.md', 'privat', 'a/private', 'privatekey.md']) {
      expect(isInside(path, ['private'])).toBe(false)
    }
  })

  it('is told alike in any case, and folding it once is enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldPath(foldPath(text))).toBe(foldPath(text))
        expect(foldPath(text.toUpperCase())).toBe(foldPath(text))
        expect(foldPath(text.toLowerCase())).toBe(foldPath(text))
      }),
    )
  })
})
