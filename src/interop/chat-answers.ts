import type { CallAnswer, CallAnswers } from '../agent/answers.ts'
import { sha256 } from '../mcp/pins/sha256.ts'
import { canonicalJson, copyJson } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { toolName } from './chat-history.ts'
import type { ChatMessage } from './chat-types.ts'

/** A question as the user interface was told of it. */
export interface ShownQuestion {
  readonly pending: PendingCall
  readonly approvalId: string
}

/** The same question has the same id, also after a reload; another question about the same call has another one. */
export function shownQuestion(pending: PendingCall): ShownQuestion {
  return { pending, approvalId: `${pending.callId}:${sha256(pending.digest).slice(0, 32)}` }
}

/**
 * The answers in a message, to questions that are open: by the id of the question, for the same call with the same
 * input. Nothing else that a message says is an answer.
 */
export function answersIn({ parts }: ChatMessage, open: readonly ShownQuestion[]): CallAnswers {
  const answers = open.flatMap(({ pending, approvalId }) => {
    const part = (parts as readonly Record<string, unknown>[]).find(
      (one) => one.toolCallId === pending.callId && toolName(one) === pending.toolName,
    )
    const answer = part && answerOf(part, pending, approvalId)
    return answer === undefined ? [] : [[pending.callId, answer] as const]
  })
  return Object.fromEntries(answers)
}

function answerOf(
  part: Record<string, unknown>,
  { kind, input }: PendingCall,
  approvalId: string,
): CallAnswer | undefined {
  if (!isSameInput(part.input, input)) return undefined
  if (kind === 'external') {
    if (part.state === 'output-available') return { output: part.output }
    return part.state === 'output-error' ? { error: String(part.errorText) } : undefined
  }
  const { approval } = part
  if (part.state !== 'approval-responded' || !isRecord(approval) || approval.id !== approvalId)
    return undefined
  const reason = typeof approval.reason === 'string' ? { reason: approval.reason } : {}
  return { approved: approval.approved === true, ...reason }
}

function isSameInput(shown: unknown, asked: PendingCall['input']): boolean {
  const { value, issues } = copyJson(shown)
  return issues === undefined && canonicalJson(value) === canonicalJson(asked)
}
