import { expect, onTestFinished, test } from 'vitest'
import { indexedDBRunStore } from '../../../src/agent/open-run-store.ts'
import type { StoredRun } from '../../../src/agent/run-store.ts'
import { Grants } from '../../../src/execution/grants.ts'
import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'

// Each store object has a connection of its own, as each tab has.

function newName(): string {
  const name = `test-${crypto.randomUUID()}`
  onTestFinished(() => {
    indexedDB.deleteDatabase(name)
  })
  return name
}

test('F01 of two tabs that save the same run at once, one does and the other is told', async () => {
  const name = newName()
  const tabs = [indexedDBRunStore(name), indexedDBRunStore(name)] as const
  const run: StoredRun = {
    runId: 'run-1',
    revision: 1,
    agent: 'mailer',
    status: 'paused',
    savedAt: 1,
    state: { by: 'first' },
  }
  await tabs[0].save(run, 0)
  expect(await tabs[1].load('run-1')).toEqual(run)
  const saved = await Promise.allSettled(
    tabs.map((tab, by) => tab.save({ ...run, revision: 2, state: { by } }, 1)),
  )
  expect(saved.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(saved.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale' } })
  const winner = saved.findIndex(({ status }) => status === 'fulfilled')
  expect(await tabs[0].list()).toEqual([{ ...run, revision: 2, state: { by: winner } }])
})

test('F16 a grant for always holds in another tab until it is revoked, or the tool changes, in either', async () => {
  const name = newName()
  const tabs = [
    new Grants({ store: indexedDBStore(name) }),
    new Grants({ store: indexedDBStore(name) }),
  ] as const
  const tool = { origin: 'mcp:notes', toolName: 'notes__read', fingerprint: 'f1' } as const
  const call = { ...tool, input: { path: 'a.md' } }
  const given = await tabs[0].add({ ...call, scope: 'input', duration: 'always' })
  await tabs[0].add({ ...call, scope: 'tool', duration: 'session' })
  expect(await tabs[1].find(call)).toEqual(given)
  expect(await tabs[1].list()).toEqual([given])
  await tabs[1].revoke(given.id)
  expect(await tabs[0].find({ ...call, exactOnly: true })).toBeUndefined()
  await tabs[0].add({ ...call, scope: 'input', duration: 'always' })
  expect(await tabs[1].find({ ...call, fingerprint: 'f2' })).toBeUndefined()
  expect(await tabs[0].find({ ...call, exactOnly: true })).toBeUndefined()
  expect([tabs[0].warning, tabs[1].warning]).toEqual([undefined, undefined])
})
