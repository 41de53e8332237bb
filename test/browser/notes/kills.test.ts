import { NoteStore } from 'offstage/tools'
import { describe, expect, it } from 'vitest'
import { engine } from '../engine.ts'
import { killStorm } from './kill-storm.ts'
import { filesIn, newRoot, notesWorker } from './kit.ts'
import type { HoldStream } from './notes.worker.ts'

const appends = 1_000
// More in `npm run test:long`. Firefox takes twelve milliseconds for an append and three hundred for the start of a worker.
const mostBetweenKills = engine === 'chromium' ? 60 : 120

// WebKitGTK's driver opens private windows only, and private windows of WebKit have no storage.
describe.skipIf(engine === 'webkit')('notes whose worker is ended in mid-append', () => {
  // A guard against hanging: with others at work on the machine Firefox has needed a minute.
  it(`hold all of ${appends} acknowledged appends, and no half line`, { timeout: 240_000 }, () =>
    killStorm(appends, mostBetweenKills),
  )

  it('are as they were when it wrote by a stream; what that left behind is no note', async () => {
    const root = newRoot()
    const store = new NoteStore({ root })
    await store.append('a.md', 'one')
    const [name = ''] = await filesIn(root)
    for (let time = 0; time < 3; time += 1) {
      const worker = notesWorker()
      await new Promise((resolve, reject) => {
        worker.onmessage = resolve
        worker.onerror = reject
        worker.postMessage({ root, hold: name } satisfies HoldStream)
      })
      worker.terminate()
    }
    expect((await store.list()).map(({ path }) => path)).toEqual(['a.md'])
    await store.append('a.md', 'two')
    expect((await store.read('a.md'))?.text).toBe('one\ntwo\n')
  })
})
