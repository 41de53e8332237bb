import { isLocked } from '../storage/locks.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { type RunState, readState } from './run-state.ts'
import type { RunStore } from './run-store.ts'
import { openQuestion } from './saved-call.ts'

/** A run that is not over and that nobody is running now. */
export interface PendingRun {
  readonly runId: string
  /** `paused`: it waits for answers; `interrupted`: its page was closed while it ran. */
  readonly status: 'paused' | 'interrupted'
  /** The calls that wait for an answer. */
  readonly pending: readonly PendingCall[]
  /** In milliseconds since the epoch. */
  readonly savedAt: number
  /** What `agent.resume()` takes. */
  readonly state: RunState
}

/** The name of the lock that whoever runs a run holds. */
export function runLock(runId: string): string {
  return `run:${runId}`
}

/** The runs of an agent that can be resumed, the last saved first. What cannot be read is left out. */
export async function pendingRuns(store: RunStore, agent: string): Promise<readonly PendingRun[]> {
  const open = (await store.list()).filter(
    (run) => run.agent === agent && (run.status === 'running' || run.status === 'paused'),
  )
  const free = await Promise.all(open.map(async (run) => ((await isLocked(runLock(run.runId))) ? [] : [run])))
  return free.flat().flatMap((run): PendingRun[] => {
    const state = readable(run.state)
    if (state === undefined) return []
    const { runId, savedAt, status } = run
    const pending = (state.open?.calls ?? []).flatMap((call) => openQuestion(call) ?? [])
    return [{ runId, savedAt, state, pending, status: status === 'paused' ? 'paused' : 'interrupted' }]
  })
}

function readable(state: unknown): RunState | undefined {
  try {
    return readState(state)
  } catch {
    return undefined
  }
}
