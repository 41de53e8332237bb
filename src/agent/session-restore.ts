import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { Agent } from './agent.ts'
import type { Message } from './message.ts'
import { RunError } from './run-error.ts'
import { type OpenStep, type RunState, readState } from './run-state.ts'
import { RunStateError } from './run-state-error.ts'
import type { RunStore, StoredRun } from './run-store.ts'
import { SessionDraft } from './session-draft.ts'

/** A run that is not over: what goes on with it, and what it waits for. */
export interface OpenRun {
  readonly state: RunState
  readonly pending: readonly PendingCall[]
  /** The conversation for who goes on without it; absent: as its end will leave it. */
  readonly messages?: readonly Message[]
}

/** A conversation as a store has it. */
export interface StoredConversation {
  readonly runId: string
  /** What its long results are kept for; absent: for that run. */
  readonly conversation?: string
  readonly messages: readonly Message[]
  /** The step that is open. */
  readonly draft: SessionDraft
  readonly open?: OpenRun
  /** Set when it goes on elsewhere. */
  readonly error?: RunStateError
}

/**
 * The conversation of a run, or of the agent's run that was saved last; undefined when there is none.
 *
 * @throws {@link RunStateError} for what is stored but cannot be read; StorageError of the store.
 */
export async function storedConversation<Deps>(
  agent: Agent<Deps>,
  store: RunStore,
  wanted: string | undefined,
): Promise<StoredConversation | undefined> {
  const run = wanted === undefined ? await lastRun(agent.name, store) : await store.load(wanted)
  if (run === undefined) return undefined
  const { runId, status } = run
  const { messages, conversation, open: step } = readState(run.state)
  const draft = draftOf(step)
  if (status === 'done' || status === 'stopped') return defined({ runId, conversation, messages, draft })
  const open = await openRun(agent, runId)
  const error = open === undefined ? runsElsewhere(runId, run.agent, agent.name) : undefined
  return defined({ runId, conversation, messages, draft, open, error })
}

/** The agent's run that was saved last; of several in one millisecond, the one with the longest conversation. */
async function lastRun(agent: string, store: RunStore): Promise<StoredRun | undefined> {
  const runs = (await store.list()).filter((run) => run.agent === agent)
  const last = runs.filter(({ savedAt }) => savedAt === runs[0]?.savedAt)
  const length = ({ state }: StoredRun) => (Array.isArray(state.messages) ? state.messages.length : 0)
  return last.sort((one, other) => length(other) - length(one))[0]
}

/** The run of an id, when it is not over and nobody is running it. */
export async function openRun<Deps>(agent: Agent<Deps>, runId: string): Promise<OpenRun | undefined> {
  const left = (await agent.pendingRuns()).find((run) => run.runId === runId)
  return left && { state: left.state, pending: left.pending }
}

/**
 * Ends a run that is not over, also in its store, without running anything, and gives its conversation: what was
 * open in it was cancelled.
 *
 * @throws {@link RunStateError} when somebody else has gone on with it.
 */
export async function leaveRun<Deps>(
  agent: Agent<Deps>,
  { state, messages }: OpenRun,
  deps: Deps | undefined,
): Promise<readonly Message[]> {
  try {
    await agent.resume(state, {}, defined({ deps, signal: AbortSignal.abort() }))
  } catch (error) {
    if (isRunError(error)) return messages ?? error.result.messages
    if (isStateError(error)) throw error
  }
  return messages ?? state.messages
}

// By their members: a page may hold two copies of the library.

/** What an app can show as an error, whatever was thrown. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(errorToData(error).message, { cause: error })
}

/** Whether a run came to no end of its own. */
export function isRunError(error: unknown): error is RunError {
  if (error instanceof RunError) return true
  return error instanceof Error && Array.isArray(Object(Object(error).result).messages)
}

function isStateError(error: unknown): error is RunStateError {
  return error instanceof Error && error.name === 'RunStateError'
}

/** Whether a run was not resumed because of an answer. */
export function isMisfit(error: unknown): error is RunStateError {
  return isStateError(error) && (error.code === 'invalid' || error.code === 'unknown-call')
}

function draftOf(step: OpenStep | undefined): SessionDraft {
  const draft = new SessionDraft()
  if (step === undefined) return draft
  draft.begin(step.text, step.parts)
  for (const { result, ...call } of step.calls) draft.add(call, result)
  return draft
}

function runsElsewhere(runId: string, owner: string, agent: string): RunStateError {
  if (owner !== agent) {
    return new RunStateError(
      `The run "${runId}" is of the agent "${owner}", not of "${agent}". Restore it in a session of that agent.`,
      'invalid',
    )
  }
  return new RunStateError(
    `The run "${runId}" is being run elsewhere, for example in another tab. Restore it again when it has ended or pauses there.`,
    'in-use',
  )
}
