import type { BudgetState } from '../execution/run-budget.ts'
import type { TaintState } from '../execution/taint.ts'
import { isRecord, isStringList } from '../tool/value-kinds.ts'
import type { Message } from './message.ts'
import type { Usage } from './model-adapter.ts'
import { RunStateError } from './run-state-error.ts'
import type { SavedCall } from './saved-call.ts'
import type { Spoken } from './spoken-message.ts'
import type { PickedTool } from './tool-picker.ts'

/** The edition of this file's format. The first one knew no `parts` of a message or a result. */
export const stateVersion = 2

/**
 * A run between two moments, as plain JSON: all that is needed to go on in another page. `deps` and secrets are
 * never in it. Treat it as a whole; of its members only `version` will always be there.
 */
export interface RunState {
  readonly version: 1 | typeof stateVersion
  readonly runId: string
  /** The name of the agent. */
  readonly agent: string
  /** The session's conversation, of which this is one run: long results are kept for it. */
  readonly conversation?: string
  /** Counts how often the run was saved. */
  readonly revision: number
  /** Whether the run has come to its end: nothing of it can be answered any more. */
  readonly ended: boolean
  /** The step that is open, or else the last one. */
  readonly step: number
  /** The conversation before the open step. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly budget: BudgetState
  /** Steps in a row that only named unknown tools. */
  readonly unknownSteps: number
  /** Answers in a row that were text where the final answer must come through a tool. */
  readonly textAnswers: number
  /** Whether the model was told what content from outside is: it stays told. */
  readonly saysOutsideRule?: boolean
  /** The step whose calls are not all over. */
  readonly open?: OpenStep
  /** What the model is offered, where that was picked among many tools; those that it found are among them. */
  readonly picked?: readonly PickedTool[]
  /** What was read that makes calls suspect; absent when nothing was. */
  readonly taint?: TaintState
}

/** A step whose calls are not all over: what the model said beside them, and they. */
export interface OpenStep extends Spoken {
  readonly calls: readonly SavedCall[]
}

/**
 * Reads a state that may come from storage, another tab or an earlier release.
 *
 * @throws {@link RunStateError} `version` for one that this release does not read, `invalid` for what is no state.
 */
export function readState(value: unknown): RunState {
  const state = Object(value)
  const { version } = state
  const isKnown = version === 1 || version === stateVersion
  if (typeof version === 'number' && !isKnown) {
    const what =
      version > stateVersion ? 'a newer release of the library: update this page' : 'an older release'
    throw new RunStateError(
      `The state of the run has version ${version}, and this release reads versions 1 to ${stateVersion}. It was saved by ${what}. Start the run anew.`,
      'version',
    )
  }
  if (!isRecord(value) || !isKnown || !hasShape(state)) {
    throw new RunStateError(
      'This is not the state of a run. Pass result.state of a paused run, or what agent.pendingRuns() gives, unchanged.',
      'invalid',
    )
  }
  return state as RunState
}

function hasShape(state: Partial<Record<keyof RunState, unknown>>): boolean {
  const { runId, agent, conversation, revision, step, messages, usage, budget } = state
  const { open, picked, taint } = state
  return (
    typeof runId === 'string' &&
    typeof agent === 'string' &&
    (conversation === undefined || typeof conversation === 'string') &&
    Number.isSafeInteger(revision) &&
    Number.isSafeInteger(step) &&
    isListOf(messages, isRecord) &&
    isRecord(usage) &&
    Number.isFinite(usage.inputTokens) &&
    Number.isFinite(usage.outputTokens) &&
    isRecord(budget) &&
    isListOf(budget.callsOf, Array.isArray) &&
    isListOf(budget.failures, Array.isArray) &&
    isStringList(budget.closed) &&
    (picked === undefined || isListOf(picked, isPicked)) &&
    (open === undefined || isOpenStep(open)) &&
    (taint === undefined || isTaint(taint))
  )
}

function isPicked(tool: unknown): tool is PickedTool {
  return isRecord(tool) && typeof tool.name === 'string'
}

function isOpenStep(open: unknown): boolean {
  if (!isRecord(open) || !isListOf(open.calls, isSavedCall) || !isListOf(open.parts ?? [], isRecord))
    return false
  // An answer is for one call.
  return new Set(open.calls.map(({ id }) => id)).size === open.calls.length
}

function isTaint(taint: unknown): boolean {
  if (!isRecord(taint)) return false
  const { untrusted, private: secrets, known, doubted } = taint
  const areSources = isListOf(untrusted, isRecord) && isListOf(secrets, isRecord)
  return areSources && isStringList(doubted) && (known === undefined || isStringList(known))
}

function isSavedCall(call: unknown): call is SavedCall {
  if (!isRecord(call)) return false
  const { id, name, input, progress, pending, answer, result } = call
  return (
    typeof id === 'string' &&
    typeof name === 'string' &&
    isRecord(input) &&
    (progress === 'waiting' || progress === 'running' || progress === 'over') &&
    (progress === 'over') === isRecord(result) &&
    (pending === undefined || (isRecord(pending) && pending.callId === id && isRecord(pending.input))) &&
    // Only `true` is a yes.
    (answer === undefined || (isRecord(answer) && typeof answer.approved === 'boolean'))
  )
}

function isListOf<T>(value: unknown, isOne: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isOne)
}
