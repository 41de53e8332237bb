import { ToolExecutor, type ToolInput, WorkerToolset } from 'offstage'
import { NoteStore, NotesTool } from 'offstage/tools'
import { describe, expect, it, onTestFinished } from 'vitest'
import { engine } from '../engine.ts'
import { newRoot } from './kit.ts'

// WebKitGTK's driver opens private windows only, and private windows of WebKit have no storage.
const privateWindow = engine === 'webkit'

function servedNotes(): ToolInput {
  const newWorker = () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' })
  const workers = new WorkerToolset(newWorker)
  onTestFinished(() => workers.close())
  return workers
}

describe.each([['on the page'], ['in a tool worker']])('NotesTool %s', (place) => {
  it('appends after a yes, then reads, lists and searches what is there', async () => {
    const onPage = place === 'on the page'
    const root = newRoot(onPage ? undefined : 'notes-of-a-tool-worker')
    const asked: unknown[] = []
    const executor = new ToolExecutor({
      tools: [onPage ? new NotesTool({ root }) : servedNotes()],
      confirm: ({ input }) => {
        asked.push(input)
        return true
      },
    })
    const call = async (input: object) => {
      const { outcome, response } = await executor.execute({ name: 'notes', input })
      return { outcome, text: response.text, metadata: response.metadata }
    }
    const append = { action: 'append', path: 'work/ideas.md', content: 'Paint the shed' }
    expect(await call(append)).toMatchObject({ outcome: 'success', text: expect.stringMatching(/^Added 14/) })
    expect(await call({ action: 'append', path: '../x', content: 'x' })).toMatchObject({ outcome: 'error' })
    expect(asked).toEqual([append])
    expect((await call({ action: 'read', path: 'work/ideas.md' })).text).toContain('Paint the shed\n')
    expect((await call({ action: 'search', query: 'shed' })).text).toContain(
      'work/ideas.md:1: Paint the shed',
    )
    const listed = await call({ action: 'list' })
    expect(listed.text).toContain('work/ideas.md')
    const tier = onPage ? 'writable' : 'sync-access'
    expect(listed.metadata).toEqual({ storage: privateWindow ? 'memory' : tier })
    if (privateWindow) expect(listed.text).toContain('in memory only')
    else expect((await new NoteStore({ root }).read('work/ideas.md'))?.text).toBe('Paint the shed\n')
  })
})
