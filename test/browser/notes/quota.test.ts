import { NoteStore } from 'offstage/tools'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commands } from 'vitest/browser'
import { engine } from '../engine.ts'
import { newRoot, openDesk } from './kit.ts'

declare module 'vitest/browser' {
  interface BrowserCommands {
    limitStorage(quotaBytes: number | null): Promise<void>
  }
}

// Only Chromium lets a test say how much room there is.
describe.runIf(engine === 'chromium')('G16 a site without room', () => {
  it('is told so; every note is as it was, and appends go on when there is room again', async () => {
    const root = newRoot()
    const desk = openDesk()
    const store = new NoteStore({ root })
    await desk.append(root, 'a.md', 'one')
    await store.append('b.md', 'one')
    onTestFinished(() => commands.limitStorage(null))
    await commands.limitStorage(1_000)
    const large = 'x'.repeat(40_000)
    for (const path of ['a.md', 'new.md']) {
      await expect(desk.append(root, path, large)).rejects.toThrow('no room left')
    }
    for (const path of ['b.md', 'new.md']) {
      await expect(store.append(path, large)).rejects.toMatchObject({
        name: 'StorageError',
        code: 'quota',
        message: expect.stringContaining('nothing was changed'),
      })
    }
    const before = { 'a.md': 'one\n', 'b.md': 'one\n' }
    expect(await desk.texts(root)).toEqual(before)
    await commands.limitStorage(null)
    await desk.append(root, 'a.md', 'two')
    await store.append('b.md', 'two')
    expect(await desk.texts(root)).toEqual({ 'a.md': 'one\ntwo\n', 'b.md': 'one\ntwo\n' })
  })
})
