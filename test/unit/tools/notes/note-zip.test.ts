import fc from 'fast-check'
import { strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { NoteStore, notesTextsZh } from 'offstage/tools'
import { describe, expect, it } from 'vitest'
import { exportNames } from '../../../../src/tools/notes/export-names.ts'
import { foldPath, readNotePath } from '../../../../src/tools/notes/note-path.ts'

let stores = 0

async function storeOf(notes: Readonly<Record<string, string>> = {}): Promise<NoteStore> {
  stores += 1
  const store = new NoteStore({ root: `note-zip-test-${stores}` })
  for (const [path, text] of Object.entries(notes)) await store.append(path, text)
  return store
}

async function textsOf(store: NoteStore): Promise<Record<string, string | undefined>> {
  const entries = await store.list()
  return Object.fromEntries(
    await Promise.all(entries.map(async ({ path }) => [path, (await store.read(path))?.text] as const)),
  )
}

async function unpacked(zip: Blob): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()))
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  )
}

function zipOf(files: Zippable): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(files))
}

describe('an export', () => {
  it('is a zip of Markdown files with the paths of the notes', async () => {
    const store = await storeOf({ 'work/ideas.md': '# Ideas', 'b.md': 'ü\n' })
    await store.append('work/ideas.md', '- more')
    const { zip, notes, clashes } = await store.export()
    expect(zip.type).toBe('application/zip')
    expect([notes, clashes]).toEqual([2, []])
    expect(await unpacked(zip)).toEqual({ 'work/ideas.md': '# Ideas\n- more\n', 'b.md': 'ü\n' })
  })

  it('J10 reports A.md and a.md, which Windows and macOS take for one, and keeps both apart', async () => {
    const store = await storeOf({ 'a.md': 'lower', 'A.md': 'upper' })
    const { zip, clashes } = await store.export()
    expect(clashes).toEqual([{ path: 'a.md', exportedAs: 'renamed-2/a.md' }])
    expect(await unpacked(zip)).toMatchObject({ 'A.md': 'upper\n', 'renamed-2/a.md': 'lower\n' })
    const copy = await storeOf()
    expect(await copy.import(zip)).toEqual({ added: ['A.md', 'a.md'], unchanged: [], refused: [] })
    expect(await textsOf(copy)).toEqual({ 'A.md': 'upper\n', 'a.md': 'lower\n' })
  })

  it('holds any text, also one that looks like parts of a zip', async () => {
    const marks = 'PK\u0001\u0002 PK\u0003\u0004 PK\u0005\u0006 PK\u0007\u0008'
    // What does not get smaller is stored as it is.
    for (const text of [marks, marks.repeat(50), `${marks}\n${crypto.randomUUID()}`]) {
      const store = await storeOf({ 'a.md': text, 'b.md': text })
      const copy = await storeOf()
      expect(await copy.import((await store.export()).zip)).toMatchObject({ added: ['a.md', 'b.md'] })
      expect(await textsOf(copy)).toEqual({ 'a.md': `${text}\n`, 'b.md': `${text}\n` })
    }
  })

  it('of many large notes leaves others their turn', async () => {
    const line = `${'the wheel was mended by Ada '.repeat(100)}\n`
    const store = await storeOf()
    for (let note = 0; note < 15; note += 1) await store.append(`${note}.md`, line.repeat(17))
    let turns = 0
    const timer = setInterval(() => (turns += 1))
    const { zip } = await store.export()
    clearInterval(timer)
    // At least one for each note: packed in one go there is none.
    expect(turns).toBeGreaterThanOrEqual(15)
    expect(zip.size).toBeLessThan(50_000)
    expect((await unpacked(zip))['14.md']).toBe(line.repeat(17))
  })

  it('of nothing is an empty zip', async () => {
    const { zip, notes } = await (await storeOf()).export()
    expect([notes, await unpacked(zip)]).toEqual([0, {}])
    expect(await (await storeOf()).import(zip)).toEqual({ added: [], unchanged: [], refused: [] })
  })
})

const paths = fc
  .oneof(
    fc
      .array(fc.constantFrom('a', 'A', 'b', 'a.md', 'A.MD', 'offstage-notes.json', 'renamed-2'), {
        minLength: 1,
        maxLength: 3,
      })
      .map((names) => names.join('/')),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  )
  .filter((path) => 'path' in readNotePath(path))
  .map((path) => path.normalize('NFC'))

describe('whatever the notes are', () => {
  it('J08 an export and an import bring all of them back, each under its path', async () => {
    const notes = fc.uniqueArray(
      // A mark of the byte order in front of a text is no text.
      fc.tuple(
        paths,
        fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !text.startsWith('\ufeff')),
      ),
      { selector: ([path]) => path, maxLength: 8 },
    )
    await fc.assert(
      fc.asyncProperty(notes, async (all) => {
        const store = await storeOf(Object.fromEntries(all.filter(([path]) => path !== '__proto__')))
        const { zip, notes: exported } = await store.export()
        const copy = await storeOf()
        expect(await copy.import(zip)).toMatchObject({ unchanged: [], refused: [] })
        expect(await textsOf(copy)).toEqual(await textsOf(store))
        expect((await copy.import(zip)).unchanged).toHaveLength(exported)
      }),
    )
  })

  it('their files can be unpacked where case does not count, none over or inside another', () => {
    fc.assert(
      fc.property(fc.uniqueArray(paths, { maxLength: 10 }), (all) => {
        const named = exportNames(all).map(({ name }) => name)
        for (const name of named) {
          expect(name).toMatch(/\.md$/i)
          expect(readNotePath(name)).toEqual({ path: name })
        }
        const names = named.map(foldPath)
        for (const name of names) {
          expect(names.filter((other) => other === name || other.startsWith(`${name}/`))).toHaveLength(1)
        }
      }),
    )
  })
})

describe('an import', () => {
  it('makes notes of a foreign zip, and says of each other file why it did not', async () => {
    const store = await storeOf({ 'kept.md': 'mine', 'same.md': 'the same' })
    const imported = await store.import(
      new Blob([
        zipOf({
          'a.md': strToU8('\ufefftext'),
          'docs/b.txt': strToU8('b\r\n'),
          'kept.md': strToU8('theirs'),
          'same.md': strToU8('the same'),
          'image.png': strToU8('x'),
          '../evil.md': strToU8('x'),
          'C:\\evil.md': strToU8('x'),
          '__MACOSX/._a.md': strToU8('x'),
          'empty.md': strToU8(''),
          'latin.md': Uint8Array.of(0xe9, 0x20, 0xe9),
          folder: { 'c.markdown': strToU8('c') },
        }),
      ]),
    )
    expect(imported.added).toEqual(['a.md', 'docs/b.txt', 'folder/c.markdown'])
    expect(imported.unchanged).toEqual(['same.md'])
    expect(Object.fromEntries(imported.refused.map(({ name, error }) => [name, error.code]))).toEqual({
      'image.png': 'note-import',
      '../evil.md': 'note-path',
      'C:\\evil.md': 'note-path',
      '__MACOSX/._a.md': 'note-path',
      'kept.md': 'note-exists',
      'empty.md': 'note-import',
      'latin.md': 'note-import',
    })
    expect(await textsOf(store)).toEqual({
      'a.md': 'text\n',
      'docs/b.txt': 'b\r\n',
      'folder/c.markdown': 'c\n',
      'kept.md': 'mine\n',
      'same.md': 'the same\n',
    })
  })

  it('believes no size: a file that unpacks to more than it declares brings nothing in', async () => {
    const store = await storeOf()
    const bomb = zipOf({ 'a.md': strToU8('a'), 'bomb.md': new Uint8Array(3_000_000).fill(97) })
    expect(await store.import(bomb)).toMatchObject({
      added: ['a.md'],
      refused: [{ name: 'bomb.md', error: { code: 'note-import', problem: { reason: 'size' } } }],
    })
    const view = new DataView(bomb.buffer)
    // In the local and in the central header, little endian.
    for (let at = 0; at < bomb.length - 4; at += 1) {
      if (view.getUint32(at, true) === 3_000_000) view.setUint32(at, 1_000, true)
    }
    const other = await storeOf()
    await expect(other.import(bomb)).rejects.toMatchObject({ problem: { reason: 'size' } })
    expect(await other.list()).toEqual([])
  })

  it('of what is no zip, or a broken one, is refused', async () => {
    const whole = zipOf({ 'a.md': strToU8('text'.repeat(1_000)) })
    const cut = [whole.length - 1, whole.length - 30, 60].map((length) => whole.subarray(0, length))
    const twice = Uint8Array.from([...whole.subarray(0, 100), ...whole])
    for (const archive of [strToU8('text'), new Uint8Array(0), ...cut, twice]) {
      const store = await storeOf()
      await expect(store.import(new Uint8Array(archive))).rejects.toMatchObject({
        name: 'NoteError',
        code: 'note-import',
      })
      expect(await store.list()).toEqual([])
    }
  })

  it('takes the paths in the list of renamed notes for what they are: any path', async () => {
    const store = await storeOf()
    const list = { paths: { 'a.md': '../../evil', 'b.md': 7, 'c.md': 'fine', 'd.md': '/x' } }
    const files = {
      'a.md': 'a',
      'b.md': 'b',
      'c.md': 'c',
      'd.md': 'd',
      'offstage-notes.json': JSON.stringify(list),
    }
    const zip = zipOf(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
    const { added, refused } = await store.import(zip)
    expect(added).toEqual(['b.md', 'fine'])
    expect(refused.map(({ name, error }) => [name, error.code])).toEqual([
      ['a.md', 'note-path'],
      ['d.md', 'note-path'],
    ])
  })

  it('is told in the language of the store', async () => {
    const store = new NoteStore({ root: 'note-zip-zh', texts: notesTextsZh })
    await expect(store.import(strToU8('x') as Uint8Array<ArrayBuffer>)).rejects.toThrow('没有导入任何内容')
  })
})
