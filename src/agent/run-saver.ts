import type { JsonObject } from '../tool/json-value.ts'
import type { RunState } from './run-state.ts'
import type { RunStore, StoredRun } from './run-store.ts'

/** A run as it is to be saved; the revision is the saver's to count. */
export interface Snapshot {
  readonly status: StoredRun['status']
  readonly state: Omit<RunState, 'revision'>
}

/** Saves one run, one save after the other, each time as it then is. */
export class RunSaver {
  readonly #store: RunStore
  #revision: number
  #last: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined
  #take: () => Snapshot = () => {
    throw new Error('nothing to save')
  }

  constructor(store: RunStore, revision: number) {
    this.#store = store
    this.#revision = revision
  }

  /** How often the run was saved. */
  get revision(): number {
    return this.#revision
  }

  /** Resolves once a save is over that began after this call. Saves that wait for their turn become one. */
  save(take: () => Snapshot): Promise<void> {
    // The last one knows best how the run stands.
    this.#take = take
    this.#next ??= this.#after(this.#last)
    return this.#next
  }

  #after(last: Promise<unknown>): Promise<void> {
    const saved = last.then(() => {
      this.#next = undefined
      return this.#write(this.#take())
    })
    this.#last = saved.catch(() => {})
    return saved
  }

  async #write({ status, state }: Snapshot): Promise<void> {
    const revision = this.#revision + 1
    const { runId, agent } = state
    const run: StoredRun = {
      ...{ runId, agent, status, revision, savedAt: Date.now() },
      // Plain JSON, which its type says in other words.
      state: { ...state, revision } as unknown as JsonObject,
    }
    await this.#store.save(run, this.#revision)
    this.#revision = revision
  }
}
