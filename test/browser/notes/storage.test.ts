import { ToolExecutor } from 'offstage'
import { NoteStore, NotesTool } from 'offstage/tools'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { engine } from '../engine.ts'
import { filesIn, folderOf, newRoot, openDesk } from './kit.ts'

// WebKitGTK's driver opens private windows only, and private windows of WebKit have no storage.
const privateWindow = engine === 'webkit'

afterEach(() => vi.restoreAllMocks())

async function textsOf(store: NoteStore): Promise<Record<string, string | undefined>> {
  const entries = await store.list()
  const texts = entries.map(async ({ path }) => [path, (await store.read(path))?.text] as const)
  return Object.fromEntries(await Promise.all(texts))
}

describe.skipIf(privateWindow)('notes in the file system', () => {
  it('are the same on the page and in a worker, whoever writes them', async () => {
    const root = newRoot()
    const store = new NoteStore({ root })
    const desk = openDesk()
    const heard = vi.fn()
    store.subscribe(heard)
    await desk.append(root, 'work/Ideas ü.md', 'from a worker')
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1))
    await store.append('work/Ideas ü.md', 'from the page')
    await store.append('WORK/ideas ü.md', 'another note')
    const texts = {
      'WORK/ideas ü.md': 'another note\n',
      'work/Ideas ü.md': 'from a worker\nfrom the page\n',
    }
    expect(await textsOf(store)).toEqual(texts)
    expect(await desk.texts(root)).toEqual(texts)
    expect(await store.storage()).toEqual({ tier: 'writable' })
    expect(await desk.storage(root)).toEqual({ tier: 'sync-access' })
    for (const name of await filesIn(root)) expect(name).toMatch(/^[a-z0-9-]{1,97}$/)
    await store.delete('WORK/ideas ü.md')
    expect(Object.keys(await desk.texts(root))).toEqual(['work/Ideas ü.md'])
    store.close()
  })

  it('are all there when two workers and the page append to one note at once', async () => {
    const root = newRoot()
    const writers = [openDesk(), openDesk()]
    const store = new NoteStore({ root, lockTimeoutMs: 30_000 })
    const lines = Array.from({ length: 15 }, (_, index) => [`a ${index}`, `b ${index}`, `c ${index}`])
    const appends = lines.flatMap(([a = '', b = '', c = '']) => [
      writers[0]?.append(root, 'a.md', a),
      writers[1]?.append(root, 'a.md', b),
      store.append('a.md', c),
    ])
    // A reader in between sees whole lines only.
    const reading = async () => {
      for (let time = 0; time < 10; time += 1) {
        const { text = '' } = (await store.read('a.md')) ?? {}
        expect(text).toMatch(/^(?:[abc] \d+\n)*$/)
      }
    }
    await Promise.all([...appends, reading()])
    const { text = '' } = (await store.read('a.md')) ?? {}
    expect(text.trimEnd().split('\n').sort()).toEqual(lines.flat().sort())
  })

  it('wait for another tab that is at work on a note, and say so when it takes too long', async () => {
    const root = newRoot()
    const slow = openDesk()
    await slow.append(root, 'a.md', 'one')
    await slow.writeSlowly(1_500)
    const writing = slow.append(root, 'a.md', 'two')
    const [patient, hasty] = [5_000, 200].map((lockTimeoutMs) => new NoteStore({ root, lockTimeoutMs }))
    // Until it has begun.
    await vi.waitFor(() => expect(hasty?.append('a.md', 'four')).rejects.toMatchObject({ code: 'locked' }))
    await patient?.append('a.md', 'three')
    await writing
    const { text = '' } = (await patient?.read('a.md')) ?? {}
    expect(text).toMatch(/^one\n(?:four\n)*two\nthree\n$/)
    // Another note was free all the time.
    await hasty?.append('b.md', 'free')
  })

  it('end their wait when the call is aborted', async () => {
    const root = newRoot()
    const slow = openDesk()
    await slow.append(root, 'a.md', 'one')
    await slow.writeSlowly(1_000)
    const writing = slow.append(root, 'a.md', 'two')
    const store = new NoteStore({ root, lockTimeoutMs: 20_000 })
    // Until it has begun.
    const hasty = new NoteStore({ root, lockTimeoutMs: 100 })
    await vi.waitFor(() => expect(hasty.append('a.md', '-')).rejects.toMatchObject({ code: 'locked' }))
    const stop = new AbortController()
    const appending = store.append('a.md', 'x', { signal: stop.signal })
    const reason = new Error('stopped')
    stop.abort(reason)
    await expect(appending).rejects.toBe(reason)
    await writing
    expect((await store.read('a.md'))?.text).toMatch(/^one\n(?:-\n)*two\n$/)
  })

  it('show no line that was cut off, and go on behind the last whole one', async () => {
    const root = newRoot()
    const desk = openDesk()
    await desk.append(root, 'a.md', 'one')
    for (const [write, tail] of [
      [() => desk.append(root, 'a.md', 'two'), '{"text":"half a no'],
      [() => new NoteStore({ root }).append('a.md', 'two'), '\u0000'.repeat(10_000)],
    ] as const) {
      const [name = ''] = await filesIn(root)
      const file = await (await folderOf(root)).getFileHandle(name)
      const stream = await file.createWritable({ keepExistingData: true })
      await stream.seek((await file.getFile()).size)
      await stream.write(tail)
      await stream.close()
      const before = (await desk.texts(root))['a.md']
      expect(before).toMatch(/^one\n(?:two\n)?$/)
      await write()
      expect((await desk.texts(root))['a.md']).toBe(`${before}two\n`)
    }
  })

  it('hide what is not a note', async () => {
    const root = newRoot()
    const folder = await folderOf(root)
    await folder.getDirectoryHandle('folder', { create: true })
    for (const [name, text] of [
      ['empty', ''],
      ['a.crswap', '{"note":1,"path":"a.md"}\n{"text":"x"}\n'],
      ['begun', '{"note":1,"path":"b.md"}\n{"text":"hal'],
      ['foreign', 'something else\n'],
    ] as const) {
      const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
      await stream.write(text)
      await stream.close()
    }
    const store = new NoteStore({ root })
    expect(await store.list()).toEqual([])
    expect(await store.search('x')).toEqual([])
  })

  it('are listed, searched and exported when their first line is damaged, and told by what is left', async () => {
    const root = newRoot()
    const store = new NoteStore({ root })
    await store.append('work/ideas.md', 'a red shed')
    await store.append('private/key.md', 'a red key')
    await store.append('b.md', 'a blue shed')
    const damage = async (slug: string, text: string) => {
      const name = (await filesIn(root)).find((one) => one.startsWith(slug)) ?? ''
      const file = await (await folderOf(root)).getFileHandle(name)
      const stream = await file.createWritable({ keepExistingData: true })
      await stream.write(text)
      await stream.close()
      return `recovered/${name}`
    }
    // The path is still there, and the name of the file proves it.
    await damage('b-md', '{"n#')
    const ideas = await damage('work-ideas', '{"note":1,"path":"wxrk')
    const key = await damage('private-key', '\u0000'.repeat(20))
    expect((await store.list()).map(({ path }) => path)).toEqual(['b.md', key, ideas])
    expect(await store.search('shed')).toMatchObject([
      { path: 'b.md', text: 'a blue shed' },
      { path: ideas, text: 'a red shed' },
    ])
    expect(await store.read(ideas)).toEqual({ path: ideas, text: 'a red shed\n', damagedLines: 1 })
    const { notes, zip } = await store.export()
    expect(notes).toBe(3)
    expect((await store.import(zip)).unchanged).toEqual(['b.md', key, ideas])
    await store.append(ideas, 'and a door')
    expect((await store.read('work/ideas.md'))?.text).toBe('a red shed\nand a door\n')
    // Nobody knows which of them are protected.
    const tools = [new NotesTool({ store, protectedPaths: ['private'] })]
    const gate = new ToolExecutor({ tools, confirm: () => true })
    const found = await gate.execute({ name: 'notes', input: { action: 'search', query: 'red' } })
    expect(found.response.text).toContain('No line')
    expect(await gate.execute({ name: 'notes', input: { action: 'read', path: key } })).toMatchObject({
      outcome: 'error',
    })
    await store.delete(key)
    expect((await store.list()).map(({ path }) => path)).toEqual(['b.md', ideas])
    // What is whole has one path only.
    const whole = (await filesIn(root)).find((one) => one.startsWith('b-md')) ?? ''
    await damage('b-md', '{"note')
    expect(await store.read(`recovered/${whole}`)).toBeUndefined()
  })

  it('G16 keep what is there when a write ends early, and say that there is no room', async () => {
    const root = newRoot()
    const desk = openDesk()
    await desk.append(root, 'a.md', 'one')
    const full = openDesk()
    await full.writeLess()
    for (const path of ['a.md', 'new.md']) {
      await expect(full.append(root, path, 'lost')).rejects.toMatchObject({
        message: expect.stringContaining('no room left'),
      })
    }
    expect(await desk.texts(root)).toEqual({ 'a.md': 'one\n' })
    expect(await filesIn(root)).toHaveLength(1)
    await desk.append(root, 'a.md', 'two')
    expect(await full.texts(root)).toEqual({ 'a.md': 'one\ntwo\n' })
  })

  it('G16 keep what is there when a stream fails', async () => {
    const root = newRoot()
    const store = new NoteStore({ root })
    await store.append('a.md', 'one')
    const full = new DOMException('full', 'QuotaExceededError')
    vi.spyOn(FileSystemWritableFileStream.prototype, 'close').mockRejectedValue(full)
    for (const path of ['a.md', 'new.md']) {
      await expect(store.append(path, 'lost')).rejects.toMatchObject({ code: 'quota', cause: full })
    }
    vi.restoreAllMocks()
    expect(await textsOf(store)).toEqual({ 'a.md': 'one\n' })
    await store.append('a.md', 'two')
    expect(await textsOf(store)).toEqual({ 'a.md': 'one\ntwo\n' })
  })

  it('G13 are written in a worker without createWritable; a page says what to do, and leaves no file', async () => {
    const root = newRoot()
    const { createWritable } = FileSystemFileHandle.prototype
    Reflect.deleteProperty(FileSystemFileHandle.prototype, 'createWritable')
    try {
      const store = new NoteStore({ root })
      await expect(store.append('a.md', 'x')).rejects.toMatchObject({
        name: 'StorageError',
        code: 'unsupported',
        message: expect.stringContaining('only in a worker'),
      })
      expect(await filesIn(root)).toEqual([])
      expect(await store.storage()).toEqual({
        tier: 'read-only',
        warning: expect.stringContaining('only in a worker'),
      })
      const desk = openDesk()
      await desk.takeAway('createWritable')
      await desk.append(root, 'a.md', 'from a worker')
      expect((await store.read('a.md'))?.text).toBe('from a worker\n')
    } finally {
      Object.assign(FileSystemFileHandle.prototype, { createWritable })
    }
  })

  it('are written by a stream in a worker that has no sync access', async () => {
    const root = newRoot()
    const desk = openDesk()
    await desk.takeAway('createSyncAccessHandle')
    await desk.append(root, 'a.md', 'one')
    await desk.append(root, 'a.md', 'two')
    expect(await desk.storage(root)).toEqual({ tier: 'writable' })
    expect(await desk.texts(root)).toEqual({ 'a.md': 'one\ntwo\n' })
  })
})

describe.skipIf(privateWindow)('notes in a worker whose sync access fails', () => {
  it('are written by a stream; it was tried on no note, which could then not be written at all', async () => {
    const root = newRoot()
    const desk = openDesk()
    await desk.refuseSyncAccess()
    expect(await desk.storage(root)).toEqual({ tier: 'writable' })
    await desk.append(root, 'a.md', 'one')
    expect(await desk.texts(root)).toEqual({ 'a.md': 'one\n' })
    const notes = await filesIn(root)
    expect(notes).toHaveLength(1)
    const tried = await desk.triedSyncAccess()
    expect(tried).toHaveLength(1)
    expect(notes).not.toContain(tried[0])
  })
})

describe('G15 notes where the browser refuses storage', () => {
  const memory = { tier: 'memory', warning: expect.stringMatching(/in memory only.*lost/) }

  async function expectMemory(): Promise<void> {
    const store = new NoteStore({ root: newRoot() })
    await store.append('a.md', 'kept for now')
    expect(await store.storage()).toEqual(memory)
    expect(await textsOf(store)).toEqual({ 'a.md': 'kept for now\n' })
  }

  it.skipIf(privateWindow)('are in memory when getDirectory rejects, with a warning', async () => {
    const refusal = new DOMException('Security error', 'SecurityError')
    vi.spyOn(StorageManager.prototype, 'getDirectory').mockRejectedValue(refusal)
    await expectMemory()
  })

  it('are in memory where there is no navigator.storage, with a warning', async () => {
    vi.spyOn(Navigator.prototype, 'storage', 'get').mockReturnValue(undefined as never)
    await expectMemory()
  })

  it.runIf(privateWindow)('are in memory in a private window, on the page and in a worker', async () => {
    await expectMemory()
    const root = newRoot()
    const desk = openDesk()
    await desk.append(root, 'a.md', 'x')
    expect(await desk.storage(root)).toEqual(memory)
    expect(await desk.texts(root)).toEqual({ 'a.md': 'x\n' })
  })
})
