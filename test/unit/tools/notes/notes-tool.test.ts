import { type ApprovalRequest, ToolExecutor, type ToolResult } from 'offstage'
import { NoteStore, NotesTool, type NotesToolOptions, notesTextsZh } from 'offstage/tools'
import { describe, expect, it } from 'vitest'

let roots = 0

function open(options: NotesToolOptions = {}, answer = true) {
  roots += 1
  const notes = new NotesTool(options.store ? options : { root: `notes-tool-test-${roots}`, ...options })
  const asked: ApprovalRequest[] = []
  const executor = new ToolExecutor({
    tools: [notes],
    confirm: (request) => {
      asked.push(request)
      return answer
    },
  })
  const call = (input: object): Promise<ToolResult> => executor.execute({ name: 'notes', input })
  return { notes, store: notes.store, asked, call }
}

describe('NotesTool', () => {
  it('appends after a yes, and reads, lists and searches without one', async () => {
    const { call, asked } = open()
    const appended = await call({ action: 'append', path: 'work/ideas.md', content: 'Paint the shed' })
    expect(appended).toMatchObject({
      outcome: 'success',
      response: { text: expect.stringMatching(/^Added 14 characters to work\/ideas\.md\./) },
    })
    expect(asked.map(({ input }) => input)).toEqual([
      { action: 'append', path: 'work/ideas.md', content: 'Paint the shed' },
    ])
    const read = await call({ action: 'read', path: 'work/ideas.md' })
    expect(read.response.text).toContain('Paint the shed\n')
    expect((await call({ action: 'list' })).response.text).toMatch(/^.*work\/ideas\.md \(\d+ bytes\)/m)
    const found = await call({ action: 'search', query: 'SHED paint' })
    expect(found.response.text).toContain('work/ideas.md:1: Paint the shed')
    expect(asked).toHaveLength(1)
  })

  it('changes nothing after a no', async () => {
    const { call, store } = open({}, false)
    expect(await call({ action: 'append', path: 'a.md', content: 'x' })).toMatchObject({ outcome: 'denied' })
    expect(await store.list()).toEqual([])
  })

  it('has an effect and asks for append alone; what the others give is private and not to be trusted', async () => {
    const { notes, call } = open()
    expect(notes.definition).toMatchObject({ name: 'notes', needsApproval: 'by-input', parallelSafe: false })
    expect(notes.definition.labels).toMatchObject({ egress: false })
    const labels = async (input: object) => {
      const { effect, reads, externalContent } = notes['~internals'].options
      return [effect, reads, externalContent].map((label) => (label as (input: object) => unknown)(input))
    }
    expect(await labels({ action: 'append' })).toEqual(['local', 'public', false])
    for (const action of ['read', 'list', 'search']) {
      expect(await labels({ action })).toEqual(['none', 'private', true])
    }
    expect((await call({ action: 'delete', path: 'a.md' })).outcome).toBe('invalid')
  })

  it('says of a missing note that there is none, which is no error', async () => {
    expect(await open().call({ action: 'read', path: 'a.md' })).toMatchObject({
      outcome: 'success',
      response: { text: expect.stringContaining('no note at a.md'), data: { path: 'a.md', exists: false } },
    })
  })

  it('reads 8,000 characters at a time, says how to go on, and cuts no character in two', async () => {
    const { call, store } = open()
    const text = `a${'😀'.repeat(6_000)}`
    await store.append('a.md', text)
    const parts: string[] = []
    let offset = 0
    for (const outcome of ['partial', 'success']) {
      const result = await call({ action: 'read', path: 'a.md', offset })
      expect(result.outcome).toBe(outcome)
      const { from, to, total } = result.response.data as { from: number; to: number; total: number }
      expect([from, total]).toEqual([offset, text.length + 1])
      expect(to - from).toBeLessThanOrEqual(8_000)
      if (outcome === 'partial') expect(result.response.text).toContain(`offset ${to}`)
      parts.push(result.response.text.split(':\n')[1]?.split('\n')[0] ?? '')
      offset = to
    }
    expect(parts.join('')).toBe(text)
    const behind = await call({ action: 'read', path: 'a.md', offset: 99_999 })
    expect(behind.response.data).toMatchObject({ from: text.length + 1, to: text.length + 1 })
  })

  it('lists and searches in one folder, and cuts long lists', async () => {
    const { call, store } = open()
    for (let index = 0; index < 201; index += 1) await store.append(`many/${index}.md`, 'word')
    await store.append('few/a.md', 'word')
    expect((await call({ action: 'list', path: 'few/' })).response.text).toMatch(/few\/a\.md \(\d+ bytes\)/)
    for (const path of ['', '/', '.', './']) {
      expect(await call({ action: 'list', path })).toMatchObject({
        outcome: 'partial',
        response: { text: expect.stringContaining('200 of 202 are shown') },
      })
    }
    const hits = await call({ action: 'search', query: 'word', path: 'few' })
    expect(hits).toMatchObject({ outcome: 'success', response: { data: { total: 1 } } })
    expect(await call({ action: 'search', query: 'word' })).toMatchObject({
      outcome: 'partial',
      response: { text: expect.stringContaining('40 of 202 are shown') },
    })
    expect((await call({ action: 'list', path: 'none' })).response.text).toContain('no notes in none')
  })

  it.each([
    ['note-path', { action: 'append', path: '../x', content: 'x' }],
    ['note-path', { action: 'append', content: 'x' }],
    ['note-path', { action: 'read', path: 'C:\\x' }],
    ['note-path', { action: 'list', path: '/etc' }],
    ['note-path', { action: 'search', path: '..', query: 'x' }],
    ['note-content', { action: 'append', path: 'a.md' }],
    ['note-content', { action: 'append', path: 'a.md', content: 'x'.repeat(50_001) }],
    ['note-query', { action: 'search' }],
  ])('refuses with %s %o, and asks nobody', async (code, input) => {
    const { call, asked, store } = open()
    expect(await call(input)).toMatchObject({ outcome: 'error', error: { name: 'NoteError', code } })
    expect(asked).toEqual([])
    expect(await store.list()).toEqual([])
  })

  it('J10 keeps out of protected paths in any case', async () => {
    const store = new NoteStore({ root: 'notes-tool-protected' })
    await store.append('private/key.md', 'secret')
    await store.append('Private/Other.md', 'secret')
    await store.append('open.md', 'no secret')
    const { call, asked } = open({ store, protectedPaths: ['private'] })
    for (const path of ['private/key.md', 'Private/Key.md', 'PRIVATE/KEY.MD']) {
      expect(await call({ action: 'read', path })).toMatchObject({ error: { code: 'note-path' } })
      expect(await call({ action: 'append', path, content: 'x' })).toMatchObject({
        error: { code: 'note-path' },
      })
    }
    expect(await call({ action: 'list', path: 'PRIVATE' })).toMatchObject({ error: { code: 'note-path' } })
    for (const input of [{ action: 'list' }, { action: 'search', query: 'secret' }]) {
      const { text } = (await call(input)).response
      expect(text).toContain('open.md')
      expect(text).not.toMatch(/private/i)
    }
    expect(asked).toEqual([])
    expect((await store.read('private/key.md'))?.text).toBe('secret\n')
  })

  it('G15 says in each answer that notes are in memory only, where there is no storage', async () => {
    const { call } = open()
    for (const input of [
      { action: 'list' },
      { action: 'append', path: 'a.md', content: 'x' },
      { action: 'read', path: 'a.md' },
      { action: 'search', query: 'nothing' },
    ]) {
      const { response } = await call(input)
      expect(response.text).toContain('in memory only')
      expect(response.metadata).toEqual({ storage: 'memory' })
    }
  })

  it('speaks the language of its texts, whatever its store speaks', async () => {
    const { call } = open({ store: new NoteStore({ root: 'notes-tool-zh' }), texts: notesTextsZh })
    expect((await call({ action: 'read', path: 'a.md' })).response.text).toContain('没有路径为 a.md 的笔记')
    expect((await call({ action: 'read', path: '../x' })).response.text).toContain('被拒绝')
  })

  it.each([[{ root: 'a', store: new NoteStore() }], [{ folder: 'a' }], [{ root: '/a' }], [7]])(
    'refuses the options %o at once',
    (options) => {
      expect(() => new NotesTool(options as object)).toThrow(/new Note(sTool|Store)\(\)/)
    },
  )
})
