import type { JsonObject } from '../tool/json-value.ts'
import type { PendingRun } from './pending-runs.ts'
import type { RunResult } from './run-result.ts'
import type { RunSetup } from './run-setup.ts'

/** A run as it is kept. */
export interface StoredRun {
  readonly runId: string
  /** Counts how often it was saved: the first time 1. */
  readonly revision: number
  /** The name of the agent whose run it is. */
  readonly agent: string
  readonly status: 'running' | 'paused' | 'done' | 'stopped'
  /** In milliseconds since the epoch. */
  readonly savedAt: number
  /** What `agent.resume()` takes. */
  readonly state: JsonObject
}

/**
 * Where runs are kept, so that a reload or another tab finds them. Made with `runStore()`, `indexedDBRunStore()` or
 * `memoryRunStore()`; spread one to replace methods: `{ ...memoryRunStore(), save: … }`.
 */
export interface RunStore {
  /**
   * The run of an id, `undefined` when there is none.
   *
   * @throws {@link RunStateError} `invalid` when what is stored is no run.
   */
  load(runId: string): Promise<StoredRun | undefined>
  /**
   * Saves a run whose `revision` is one more than `expectedRevision`, the one that is stored now (0: none is).
   *
   * @throws {@link RunStateError} `stale` when another revision is stored, which stays; `invalid` when the run's own
   * revision is another one.
   */
  save(run: StoredRun, expectedRevision: number): Promise<void>
  /** All runs, the last saved first. What is no run is left out. */
  list(): Promise<readonly StoredRun[]>
  /** Deletes a run. One that is not there is no error. */
  delete(runId: string): Promise<void>
  /** Calls `listener` when runs were saved or deleted, also in another tab; returns the way to stop that. */
  subscribe?(listener: () => void): () => void
  /** @internal */
  readonly '~keeper': RunKeeper
}

/**
 * How runs are kept. It comes with the store, so that apps without one do not ship it.
 *
 * @internal
 */
export interface RunKeeper {
  /** Runs the loop of a run that is kept. */
  run(
    setup: RunSetup,
    store: RunStore,
    revision: number,
    loop: (setup: RunSetup) => Promise<RunResult>,
  ): Promise<RunResult>
  pendingRuns(store: RunStore, agent: string): Promise<readonly PendingRun[]>
}
