import { describe, expect, test } from 'vitest'
import { indexedDBRunStore, memoryRunStore, runStore } from '../../../src/agent/open-run-store.ts'
import { RunStateError } from '../../../src/agent/run-state-error.ts'
import type { StoredRun } from '../../../src/agent/run-store.ts'
import { memoryStore } from '../../../src/storage/memory-store.ts'

function run(changes: Partial<StoredRun> = {}): StoredRun {
  return {
    runId: 'run-1',
    revision: 1,
    agent: 'mailer',
    status: 'paused',
    savedAt: 1_000,
    state: { messages: [] },
    ...changes,
  }
}

describe('a run store', () => {
  test('gives back what was saved, as a copy', async () => {
    const store = memoryRunStore()
    const messages: string[] = ['one']
    await store.save(run({ state: { messages } }), 0)
    messages.push('two')
    expect(await store.load('run-1')).toEqual(run({ state: { messages: ['one'] } }))
    expect(await store.load('run-2')).toBeUndefined()
  })

  test('lists all runs, the last saved first, until they are deleted', async () => {
    const store = memoryRunStore()
    for (const [runId, savedAt] of [
      ['b', 2],
      ['a', 3],
      ['c', 1],
    ] as const) {
      await store.save(run({ runId, savedAt }), 0)
    }
    expect((await store.list()).map(({ runId }) => runId)).toEqual(['a', 'b', 'c'])
    await store.delete('b')
    await store.delete('b')
    expect((await store.list()).map(({ runId }) => runId)).toEqual(['a', 'c'])
    expect(await store.load('b')).toBeUndefined()
  })

  test('F13 counts revisions, and refuses to save over one that it does not expect', async () => {
    const store = memoryRunStore()
    await store.save(run(), 0)
    await store.save(run({ revision: 2, status: 'running' }), 1)
    for (const expected of [0, 1, 3]) {
      const late = store.save(run({ revision: expected + 1, state: { late: true } }), expected)
      await expect(late).rejects.toMatchObject({ name: 'RunStateError', code: 'stale' })
    }
    expect(await store.load('run-1')).toEqual(run({ revision: 2, status: 'running' }))
  })

  test('says that the run must be loaded again', async () => {
    const store = memoryRunStore()
    const missing: unknown = await store.save(run({ revision: 5 }), 4).catch((error: unknown) => error)
    expect(missing).toBeInstanceOf(RunStateError)
    expect(missing).toMatchObject({
      message: expect.stringMatching(/"run-1".*it is not stored, not 4\. Load it again/s),
    })
  })

  test('F01 lets one of two that save at once win, the other is stale', async () => {
    const store = memoryRunStore()
    await store.save(run(), 0)
    const both = await Promise.allSettled([
      store.save(run({ revision: 2, state: { who: 'one' } }), 1),
      store.save(run({ revision: 2, state: { who: 'other' } }), 1),
    ])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await store.load('run-1'))?.state).toEqual({ who: 'one' })
  })

  test.each([
    ['a revision that does not follow', run({ revision: 3 }), 1],
    ['the same revision', run({ revision: 1 }), 1],
    ['an unknown status', run({ status: 'lost' as never }), 0],
    ['a state that is no object', run({ state: [] as never }), 0],
    ['a time that is none', run({ savedAt: Number.NaN }), 0],
  ])('refuses %s', async (_what, wrong, expected) => {
    const store = memoryRunStore()
    await expect(store.save(wrong, expected)).rejects.toMatchObject({ code: 'invalid' })
    expect(await store.list()).toEqual([])
  })

  test.each([
    ['a text', 'run'],
    ['the run of another id', run({ runId: 'run-2' })],
    ['no revision', { ...run(), revision: undefined }],
    ['a broken revision', { ...run(), revision: 1.5 }],
    ['an unknown status', { ...run(), status: 'lost' }],
    ['no state', { ...run(), state: null }],
  ])(
    'refuses to load %s, leaves it out of the list, never writes over it, and deletes it',
    async (_what, value) => {
      const values = memoryStore()
      await values.update('run-1', () => value)
      const store = runStore(values)
      await expect(store.load('run-1')).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('delete("run-1")'),
      })
      expect(await store.list()).toEqual([])
      for (const expected of [0, 1]) {
        const saved = store.save(run({ revision: expected + 1 }), expected)
        await expect(saved).rejects.toMatchObject({ code: 'stale' })
      }
      await store.delete('run-1')
      await store.save(run(), 0)
      expect(await store.list()).toEqual([run()])
    },
  )

  test('on a server says that there is no storage', async () => {
    const store = indexedDBRunStore()
    for (const use of [store.load('a'), store.save(run(), 0), store.list(), store.delete('a')]) {
      await expect(use).rejects.toMatchObject({ name: 'StorageError', code: 'unsupported' })
    }
  })
})
