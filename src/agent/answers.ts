import { type Answer, type ApprovalDecision, readDecision } from '../execution/decision.ts'
import { failure } from '../execution/settle.ts'
import { errorToData } from '../tool/error-data.ts'
import { copyJson, firstIssue, type JsonObject } from '../tool/json-value.ts'
import type { ModelTexts } from '../tool/model-texts.ts'
import type { PendingKind } from '../tool/pending-call.ts'
import { toResponse } from '../tool/tool-response.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { isRecord, tagOf } from '../tool/value-kinds.ts'
import { RunStateError } from './run-state-error.ts'
import { openQuestion, type SavedCall } from './saved-call.ts'

/**
 * The answer to a call that waits: a decision about an approval; the fields that the person filled in (a decision
 * with `approved: false` refuses them); or for a call that is answered elsewhere its output, as `execute` would
 * return it, or why there is none.
 */
export type CallAnswer =
  | ApprovalDecision
  | { readonly fields: JsonObject }
  | { readonly output: unknown }
  | { readonly error: string }

/** Answers by call id. */
export type CallAnswers = Readonly<Record<string, CallAnswer>>

/** Answers that were read and fit. */
export interface ReadAnswers {
  readonly decisions: ReadonlyMap<string, Answer>
  readonly settlements: ReadonlyMap<string, Settlement>
  /** Calls that are over, or have an answer. */
  readonly alreadyAnswered: readonly string[]
}

/**
 * Reads the answers to the calls of an open step. Those to calls that have one are left out and named.
 *
 * @throws {@link RunStateError} `unknown-call` for an id that is none of the step's, or of a call that waits for no
 * answer; `invalid` for an answer that does not fit. Nothing has run then.
 */
export function readAnswers(
  answers: CallAnswers,
  calls: readonly SavedCall[],
  texts: ModelTexts,
): ReadAnswers {
  const decisions = new Map<string, Answer>()
  const settlements = new Map<string, Settlement>()
  const alreadyAnswered: string[] = []
  if (tagOf(answers) !== 'Object') {
    throw new RunStateError('resume(): answers must be an object, { [callId]: answer }.', 'invalid')
  }
  for (const [id, answer] of Object.entries(answers)) {
    const call = calls.find((known) => known.id === id)
    const question = call && openQuestion(call)
    if (question?.kind === 'external') settlements.set(id, readOutput(id, answer, texts))
    else if (question !== undefined) {
      const read = readYesOrNo(id, answer, question.kind)
      // Nobody answered: the dialog was closed with its page, or timed out. The question waits on.
      if (read.unanswered === undefined) decisions.set(id, read)
    } else if (call?.answer !== undefined || (call && call.progress !== 'waiting')) alreadyAnswered.push(id)
    else throw unknownCall(id, calls)
  }
  return { decisions, settlements, alreadyAnswered }
}

function unknownCall(id: string, calls: readonly SavedCall[]): RunStateError {
  const waiting = calls.filter((call) => openQuestion(call) !== undefined)
  const names = waiting.map(({ id, name }) => `"${id}" (${name})`).join(', ') || 'none'
  return new RunStateError(
    `No call with the id "${id}" waits for an answer in this step. Those that do: ${names}. Nothing was run.`,
    'unknown-call',
  )
}

function readYesOrNo(id: string, given: unknown, kind: PendingKind): Answer {
  try {
    // A copy of its own, as JSON: it may have to be kept in the state.
    const { value: answer, issues } = copyJson(given)
    if (issues !== undefined) throw new Error(firstIssue(issues))
    const isFields = isRecord(answer) && !('approved' in answer) && isRecord(answer.fields)
    if (isFields && kind === 'fields') return readDecision({ ...answer, approved: true })
    if (typeof answer !== 'boolean' && !(isRecord(answer) && typeof answer.approved === 'boolean')) {
      throw new Error(
        `give true, false or { approved: … }${kind === 'fields' ? ', or { fields: { … } }' : ''}`,
      )
    }
    return readDecision(answer)
  } catch (error) {
    throw wrongAnswer(id, errorToData(error).message)
  }
}

function readOutput(id: string, answer: unknown, texts: ModelTexts): Settlement {
  if (isRecord(answer) && typeof answer.error === 'string')
    return failure('error', answer.error, 'tool-failed')
  if (!isRecord(answer) || !('output' in answer)) {
    throw wrongAnswer(id, 'the call is answered elsewhere: give { output: … } or { error: "why" }')
  }
  const { response, empty } = toResponse(answer.output)
  return { outcome: response.status, response: empty ? { ...response, text: texts.noOutput } : response }
}

function wrongAnswer(id: string, why: string): RunStateError {
  return new RunStateError(`The answer for call "${id}" does not fit: ${why}. Nothing was run.`, 'invalid')
}
