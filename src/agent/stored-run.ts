import { holdLock } from '../storage/locks.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { runLock } from './pending-runs.ts'
import { readParts } from './result-parts.ts'
import type { AgentEvent, RunResult } from './run-result.ts'
import { RunSaver } from './run-saver.ts'
import type { RunSetup } from './run-setup.ts'
import { hasEnded, RunStateError } from './run-state-error.ts'
import type { RunStore } from './run-store.ts'
import type { Spoken } from './spoken-message.ts'
import { StepJournal } from './step-journal.ts'

const lastTypes: readonly AgentEvent['type'][] = ['paused', 'done', 'failed']

/**
 * Runs the loop of a run that is kept: by one tab at a time, from the state that was saved last, and saved before
 * anything depends on it.
 *
 * @param revision - Of the state that the run goes on from; 0 for a new run.
 * @throws {@link RunStateError} before anything runs.
 */
export async function runStored(
  setup: RunSetup,
  store: RunStore,
  revision: number,
  loop: (setup: RunSetup) => Promise<RunResult>,
): Promise<RunResult> {
  const { record } = setup
  const { runId } = record
  // Told once the lock is free again: whoever hears that the run has ended may go on with it at once.
  const last: AgentEvent[] = []
  const { tell: outer } = setup
  const tell: RunSetup['tell'] =
    outer &&
    ((event) => {
      if (lastTypes.includes(event.type)) last.push(event)
      else outer(event)
    })
  const held = await holdLock(runLock(runId), async () => {
    await checkLatest(store, runId, revision)
    const saver = new RunSaver(store, revision)
    const save: RunSetup['save'] = (status) => {
      const ended = status === 'done' || status === 'stopped'
      return saver.save(() => ({ status, state: record.toState(ended) }))
    }
    const read = (result: ToolResult) => readParts([result], setup.texts, setup.signal)
    const openJournal = (said: Spoken) =>
      new StepJournal(record.open?.calls ?? [], read, async (calls) => {
        record.open = { ...said, calls }
        await save('running')
      })
    return loop({ ...setup, tell, save, openJournal, revision: () => saver.revision })
  }).finally(() => {
    for (const event of last) outer?.(event)
  })
  if (held.held) return held.value
  throw new RunStateError(
    `The run "${runId}" is being run elsewhere, for example in another tab. Wait until it ends or pauses there, then load it again.`,
    'in-use',
  )
}

async function checkLatest(store: RunStore, runId: string, revision: number): Promise<void> {
  const stored = await store.load(runId)
  if (stored?.status === 'done' || stored?.status === 'stopped') throw hasEnded(runId)
  if ((stored?.revision ?? 0) === revision) return
  throw new RunStateError(
    `The run "${runId}" has gone on since this state was taken. Load it again with agent.pendingRuns().`,
    'stale',
  )
}
