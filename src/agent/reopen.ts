import { failure } from '../execution/settle.ts'
import type { StepCall } from '../execution/step-call.ts'
import { defined } from '../tool/defined.ts'
import { ToolError } from '../tool/errors.ts'
import { deepFreeze } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { ToolResult } from '../tool/tool-result.ts'
import { type CallAnswers, type ReadAnswers, readAnswers } from './answers.ts'
import { type RunState, readState } from './run-state.ts'
import { hasEnded, RunStateError } from './run-state-error.ts'
import type { SavedCall, SavedResult } from './saved-call.ts'

/** A run that is to go on. */
export interface ReopenedRun {
  readonly from: RunState
  /** The calls of the step that was left open, each with what is known of it by now. */
  readonly calls: readonly StepCall[]
  /** Ids of answers to calls that had theirs. */
  readonly alreadyAnswered: readonly string[]
}

/** Who goes on with it. */
export interface Reopener {
  readonly agent: string
  readonly texts: ModelTexts
  /** Whether somebody can be asked now: an open question without an answer is asked again. */
  readonly asksNow: boolean
}

/**
 * Reads the state of a run and the answers to its open calls.
 *
 * @throws {@link RunStateError} for a state that this agent cannot go on with, and answers that do not fit.
 */
export function reopenRun(state: unknown, given: CallAnswers, by: Reopener): ReopenedRun {
  const from = readState(state)
  if (from.ended) throw hasEnded(from.runId)
  if (from.agent !== by.agent) {
    throw new RunStateError(
      `The run "${from.runId}" is of the agent "${from.agent}", not of "${by.agent}". Resume it with that agent: another one has other tools.`,
      'invalid',
    )
  }
  const saved = from.open?.calls ?? []
  const answers = readAnswers(given, saved, by.texts)
  const calls = saved.map((call) => reopenCall(call, answers, by))
  return { from, calls, alreadyAnswered: answers.alreadyAnswered }
}

function reopenCall(call: SavedCall, answers: ReadAnswers, { asksNow, texts }: Reopener): StepCall {
  const { id, providerId, name, input, result, progress, pending, repaired } = call
  const request = defined({ name, input, providerId })
  if (result !== undefined) return { request, opened: { id, result: restoreResult(call, result) } }
  if (progress === 'running') {
    const settlement = failure('interrupted', texts.interrupted(name), 'interrupted')
    return { request, opened: { id, settlement } }
  }
  const settlement = answers.settlements.get(id)
  const answer = answers.decisions.get(id) ?? call.answer
  const isAnswered = settlement !== undefined || answer !== undefined
  const waits = pending !== undefined && !isAnswered && !(asksNow && pending.kind !== 'external')
  const still = waits ? stillWaiting(call, texts.waiting(name)) : undefined
  return { request, opened: defined({ id, result: still, settlement, pending, answer, repaired }) }
}

function stillWaiting(
  { id, providerId, name, input, pending, repaired }: SavedCall,
  text: string,
): ToolResult {
  const call = Object.freeze(defined({ id, providerId, name, input }))
  return Object.freeze(
    defined({
      call,
      outcome: 'deferred' as const,
      response: { text, status: 'partial' as const },
      pending,
      repaired,
      origin: pending?.origin,
    }),
  )
}

/** The result of a call that was over. */
function restoreResult({ id, providerId, name, input }: SavedCall, saved: SavedResult): ToolResult {
  const { outcome, text, status, data, metadata, error, about } = saved
  // The parts of a response are bytes or addresses.
  const parts = saved.parts?.map((part) =>
    part.data.includes(':') ? part : { ...part, data: `data:${part.mediaType};base64,${part.data}` },
  )
  return Object.freeze({
    ...about,
    ...defined({
      call: deepFreeze(defined({ id, providerId, name, input })),
      outcome,
      response: Object.freeze(defined({ text, status, data, parts, metadata })),
      error: error && new ToolError(error.message, error),
    }),
  })
}
