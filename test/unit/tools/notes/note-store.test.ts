import { NoteStore } from 'offstage/tools'
import { describe, expect, it, vi } from 'vitest'

let stores = 0

function emptyStore(): NoteStore {
  stores += 1
  return new NoteStore({ root: `note-store-test-${stores}` })
}

describe('NoteStore', () => {
  it('gives each append a line of its own, and a missing note is undefined', async () => {
    const store = emptyStore()
    expect(await store.read('a.md')).toBeUndefined()
    expect(await store.list()).toEqual([])
    await store.append('a.md', 'one')
    await store.append('a.md', '# two\n\nthree\r\n')
    await store.append('a.md', '{"text":"\u0000 \ud800 \u2028 4"}')
    expect(await store.read('a.md')).toEqual({
      path: 'a.md',
      text: 'one\n# two\n\nthree\r\n{"text":"\u0000 \ud800 \u2028 4"}\n',
      damagedLines: 0,
    })
  })

  it('lists notes in the order of their paths, with size and time', async () => {
    const store = emptyStore()
    const before = Date.now()
    for (const path of ['b/a.md', 'a.md', 'Z.md', 'a/é.md']) await store.append(path, 'text')
    const list = await store.list()
    expect(list.map(({ path }) => path)).toEqual(['Z.md', 'a.md', 'a/é.md', 'b/a.md'])
    for (const { size, changedAt } of list) {
      expect(size).toBeGreaterThan(20)
      expect(changedAt).toBeGreaterThanOrEqual(before)
    }
  })

  it('refuses to append nothing, or more than 50,000 characters', async () => {
    const store = emptyStore()
    for (const length of [0, 50_001]) {
      await expect(store.append('a.md', 'x'.repeat(length))).rejects.toMatchObject({ code: 'note-content' })
    }
    expect(await store.list()).toEqual([])
    await store.append('a.md', 'x'.repeat(50_000))
  })

  it('lets a note grow to 2,000,000 bytes and no further; it stays as it was', async () => {
    const store = emptyStore()
    // Two bytes each as JSON.
    const block = '"'.repeat(50_000)
    const fill = async () => {
      for (let time = 0; time < 25; time += 1) await store.append('a.md', block)
    }
    const error = await fill().catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'note-full', message: expect.stringContaining('2000000 bytes') })
    const [entry] = await store.list()
    expect(entry?.size).toBeLessThan(2_000_000)
    expect((await store.read('a.md'))?.text).toBe(`${block}\n`.repeat(19))
    await store.append('a.md', 'a little still fits')
  })

  it('has the same notes as another store of that root, and tells it of changes', async () => {
    const one = new NoteStore({ root: 'note-store-shared' })
    const other = new NoteStore({ root: 'note-store-shared' })
    const heard = vi.fn()
    const stop = other.subscribe(heard)
    await one.append('a.md', 'text')
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    expect((await other.read('a.md'))?.text).toBe('text\n')
    await other.delete('a.md')
    await other.delete('a.md')
    expect(await one.list()).toEqual([])
    stop()
    one.close()
    other.close()
  })

  it('G15 says that notes are in memory only where there is no storage', async () => {
    expect(await emptyStore().storage()).toEqual({
      tier: 'memory',
      warning: expect.stringMatching(/in memory only.*no file storage.*lost/),
    })
  })

  it.each([
    [{ root: '' }],
    [{ root: '../x' }],
    [{ root: 7 }],
    [{ folder: 'x' }],
    [{ lockTimeoutMs: 0 }],
    [7],
  ])('refuses the options %j at once', (options) => {
    expect(() => new NoteStore(options as object)).toThrow(/new NoteStore\(\)/)
  })
})

describe('a search', () => {
  async function notes(): Promise<NoteStore> {
    const store = emptyStore()
    await store.append('work/ideas.md', 'Paint the shed red\nBuy MILK and bread\n')
    await store.append('b.md', 'bread: 3 loaves\nStraße (a+)+$ .* [x]\n')
    return store
  }

  it('finds the lines that hold all the words, in any case and order', async () => {
    const store = await notes()
    expect(await store.search('bread milk')).toEqual([
      { path: 'work/ideas.md', line: 2, text: 'Buy MILK and bread' },
    ])
    expect((await store.search(' BREAD ')).map(({ path, line }) => [path, line])).toEqual([
      ['b.md', 1],
      ['work/ideas.md', 2],
    ])
    expect(await store.search('bread shed')).toEqual([])
    expect(await store.search('bread', { accept: (path) => path.startsWith('work/') })).toHaveLength(1)
  })

  it('takes every character as it is', async () => {
    const store = await notes()
    for (const query of ['(a+)+$', '.*', '[x]']) {
      expect(await store.search(query)).toMatchObject([{ path: 'b.md', line: 2 }])
    }
    expect(await store.search('b.ead')).toEqual([])
  })

  it('J13 for (a+)+$ on 50 kB of text is over at once', async () => {
    const store = await notes()
    await store.append('long.md', `${'a'.repeat(49_999)}!`)
    const start = performance.now()
    expect(await store.search('(a+)+$')).toHaveLength(1)
    // A hang guard: as a regular expression it would never end.
    expect(performance.now() - start).toBeLessThan(5_000)
  })

  it('finds each of very many lines', async () => {
    const store = emptyStore()
    for (let time = 0; time < 8; time += 1) await store.append('a.md', 'a\n'.repeat(25_000))
    expect(await store.search('a')).toHaveLength(200_000)
  })

  it('shows the part of a long line in which a word is', async () => {
    const store = emptyStore()
    await store.append('a.md', `${'😀'.repeat(400)}needle${'😀'.repeat(400)}`)
    const [{ text = '' } = {}] = await store.search('needle')
    expect(text).toMatch(/^…(?:😀)+needle(?:😀)+…$/u)
    expect(text.length).toBeLessThanOrEqual(200)
  })

  it.each(['', '  ', 'x'.repeat(201)])('for %j is refused', async (query) => {
    await expect(emptyStore().search(query)).rejects.toMatchObject({ code: 'note-query' })
  })

  it('ends when its signal aborts', async () => {
    const store = await notes()
    const reason = new Error('enough')
    await expect(store.search('bread', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})
