import type { Answer } from '../execution/decision.ts'
import type { ArgumentRepair } from '../tool/arguments/argument-repair.ts'
import { defined } from '../tool/defined.ts'
import { copyJson, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import type { ResponseStatus } from '../tool/tool-response.ts'
import type { CallEnding, ToolCall, ToolResult } from '../tool/tool-result.ts'
import type { FilePart } from './message.ts'
import { seenOf } from './result-parts.ts'

/** A call of a step that is not over, as plain JSON. */
export interface SavedCall {
  readonly id: string
  readonly providerId?: string
  readonly name: string
  /** What the model asked for. */
  readonly input: JsonObject
  /** What was repaired in it. */
  readonly repaired?: readonly ArgumentRepair[]
  /** `running`: it had started when this was written, and it changes something. */
  readonly progress: 'waiting' | 'running' | 'over'
  /** The question that is open, or was answered while the call still waited for another one. */
  readonly pending?: PendingCall
  readonly answer?: Answer
  readonly result?: SavedResult
}

/** What is kept of a result. `data` is left out when it is not JSON. */
export interface SavedResult {
  readonly outcome: CallEnding
  /** What the model reads. */
  readonly text: string
  readonly parts?: readonly FilePart[]
  readonly status: ResponseStatus
  readonly data?: JsonValue
  readonly metadata?: JsonObject
  readonly error?: { readonly name: string; readonly code: string; readonly message: string }
  /** The rest of a `ToolResult`, which is JSON. */
  readonly about: JsonObject
}

/** A call that nothing is known of but that it was asked for. */
export function waitingCall({ id, providerId, name, input }: ToolCall): SavedCall {
  return defined({ id, providerId, name, input, progress: 'waiting' as const })
}

/**
 * A call as its result leaves it: over, or waiting for an answer or for another call.
 *
 * @param before - What was known of it. One that only waits for another call keeps its question and answer.
 */
export function savedCall(result: ToolResult, before?: Pick<SavedCall, 'pending' | 'answer'>): SavedCall {
  const { call, outcome, pending, repaired } = result
  if (outcome !== 'deferred') return { ...waitingCall(call), progress: 'over', result: saveResult(result) }
  const waiting: SavedCall = defined({ ...waitingCall(call), repaired })
  if (pending !== undefined) return { ...waiting, pending }
  return before?.answer === undefined
    ? waiting
    : defined({ ...waiting, pending: before.pending, answer: before.answer })
}

/** The question about a call that is open, if there is one. */
export function openQuestion({ pending, answer, progress }: SavedCall): PendingCall | undefined {
  return progress === 'waiting' && answer === undefined ? pending : undefined
}

function saveResult(result: ToolResult): SavedResult {
  const { call: _call, outcome, response, error, pending: _none, ...about } = result
  return defined({
    outcome,
    ...seenOf(response),
    status: response.status,
    data: readable(response.data),
    metadata: readable(response.metadata) as JsonObject | undefined,
    error: error && { name: error.name, code: error.code, message: error.message },
    about: (readable(about) ?? {}) as JsonObject,
  })
}

// Looking at data can run code of its own: a getter, toJSON, a Proxy.
function readable(value: unknown): JsonValue | undefined {
  try {
    return copyJson(value).value
  } catch {
    return undefined
  }
}
