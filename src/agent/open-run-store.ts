import { indexedDBStore } from '../storage/indexeddb-store.ts'
import type { KeyValueStore } from '../storage/key-value.ts'
import { memoryStore } from '../storage/memory-store.ts'
import { defined } from '../tool/defined.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { pendingRuns } from './pending-runs.ts'
import { RunStateError } from './run-state-error.ts'
import type { RunStore, StoredRun } from './run-store.ts'
import { runStored } from './stored-run.ts'

const statuses: readonly StoredRun['status'][] = ['running', 'paused', 'done', 'stopped']

const keeper = { run: runStored, pendingRuns }

/** Keeps runs in the memory of this page, for tests and where there is no storage. */
export function memoryRunStore(): RunStore {
  return runStore(memoryStore())
}

/**
 * Keeps runs in IndexedDB, where all tabs of the origin find them. Its methods reject with a `StorageError` where
 * the browser gives no storage. Nothing is opened before it is first used.
 */
export function indexedDBRunStore(name = 'offstage-runs'): RunStore {
  return runStore(indexedDBStore(name))
}

/** Keeps runs in a store of the app's choice, which should hold nothing else. */
export function runStore(store: KeyValueStore): RunStore {
  return {
    ...defined({
      subscribe: store.subscribe && ((listener: () => void) => store.subscribe?.(listener) ?? (() => {})),
    }),
    load: async (runId) => {
      const value = await store.get(runId)
      if (value === undefined) return undefined
      if (isStoredRun(value, runId)) return value
      throw new RunStateError(
        `What is stored as run "${runId}" is not a run of this library. Delete it from the store with delete("${runId}").`,
        'invalid',
      )
    },
    save: async (run, expectedRevision) => {
      checkRun(run, expectedRevision)
      await store.update(run.runId, (old) => {
        checkRevision(run.runId, revisionOf(old, run.runId), expectedRevision)
        return run
      })
    },
    list: async () => {
      const entries = await store.entries()
      return entries
        .flatMap(([key, value]) => (isStoredRun(value, key) ? [value] : []))
        .sort((one, other) => other.savedAt - one.savedAt)
    },
    delete: (runId) => store.delete(runId),
    '~keeper': keeper,
  }
}

function isStoredRun(value: unknown, runId: string): value is StoredRun {
  if (!isRecord(value)) return false
  const { revision, agent, status, savedAt, state } = value
  return (
    value.runId === runId &&
    Number.isSafeInteger(revision) &&
    Number(revision) >= 1 &&
    typeof agent === 'string' &&
    statuses.some((known) => known === status) &&
    Number.isFinite(savedAt) &&
    isRecord(state)
  )
}

/** Undefined for what is there but no run: no revision is that one. */
function revisionOf(value: unknown, runId: string): number | undefined {
  if (value === undefined) return 0
  return isStoredRun(value, runId) ? value.revision : undefined
}

function checkRun(run: StoredRun, expectedRevision: number): void {
  if (run.revision === expectedRevision + 1 && isStoredRun(run, run.runId)) return
  throw new RunStateError(
    `Run "${run.runId}" cannot be saved: its revision is ${run.revision}, and must be ${expectedRevision + 1}, one more than the stored one; ` +
      'and each other member must be as StoredRun describes it.',
    'invalid',
  )
}

function checkRevision(runId: string, stored: number | undefined, expected: number): void {
  if (stored === expected) return
  const found = stored === 0 ? 'it is not stored' : `its stored revision is ${stored ?? 'unreadable'}`
  throw new RunStateError(
    `Run "${runId}" was changed elsewhere, for example in another tab: ${found}, not ${expected}. ` +
      'Load it again and go on from there; what was not saved is lost.',
    'stale',
  )
}
