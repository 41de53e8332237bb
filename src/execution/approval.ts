import { stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { canonicalJson, isRecord, type JsonObject } from '../tool/json-value.ts'
import { isStamped, type ToolOrigin } from '../tool/tool-origin.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { type PreparedCall, recheck } from './prepare-call.ts'
import { cancelled, failure, isSettlement } from './settle.ts'
import type { Settlement } from './tool-result.ts'

/** A question to the person: may this call run? */
export interface ApprovalRequest {
  readonly callId: string
  /** The name that the model sees. */
  readonly toolName: string
  readonly origin: ToolOrigin
  readonly description: string
  /** Exactly what will run after a yes. Frozen. */
  readonly input: JsonObject
  /** Why the person is asked, if somebody said why. */
  readonly reasons: readonly string[]
  /** Aborts when the question is withdrawn; an answer after that is refused. */
  readonly signal: AbortSignal
}

/** The person's answer. Only `true` or `{ approved: true }` approves. */
export type ApprovalDecision =
  | boolean
  | {
      readonly approved: boolean
      /** What the person says; a denial's reason is told to the model. */
      readonly reason?: string
      /** A changed input: it is checked again, and the model is told. */
      readonly input?: JsonObject
      /** Why there was no answer at all, for example "timed out". Only with `approved: false`. */
      readonly unanswered?: string
    }

/** Asks the person, for example with `confirmDialog()`. One that throws has denied. */
export type ConfirmHandler = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>

/** A call that may run now, or how it ended instead. */
export type ApprovalAnswer =
  | { readonly kind: 'go'; readonly call: PreparedCall }
  | { readonly kind: 'settled'; readonly settlement: Settlement }

const decisionKeys = new Set(['approved', 'reason', 'input', 'unanswered', 'remember'])

/** Asks the person about a call and reads the answer. A call whose policy says allow passes at once. */
export async function approve(call: PreparedCall, scope: ExecutionScope): Promise<ApprovalAnswer> {
  if (call.decision.kind === 'allow') return { kind: 'go', call }
  const { texts, confirm } = scope
  if (confirm === undefined) return denied(texts.nobodyToAsk(call.name))
  const request = approvalRequest(call, scope)
  call.emit({ type: 'approval-requested', request })
  let decision: ApprovalDecision
  try {
    const answered = await untilAborted((async () => confirm(request))(), scope.signal)
    if (answered === stopped) return { kind: 'settled', settlement: cancelled(call.name, false, texts) }
    decision = answered
    checkDecision(decision)
  } catch (error) {
    call.emit({ type: 'approval-answered', approved: false })
    return denied(texts.confirmFailed(call.name, errorToData(error).message))
  }
  return readDecision(decision, call, scope)
}

function approvalRequest(call: PreparedCall, scope: ExecutionScope): ApprovalRequest {
  return Object.freeze({
    callId: call.id,
    toolName: call.name,
    origin: call.origin,
    description: call.listed.definition.description,
    input: call.input,
    reasons: call.decision.kind === 'confirm' ? call.decision.reasons : [],
    signal: scope.signal,
  })
}

// A decision that asks for more than is done would be a promise broken in silence.
function checkDecision(decision: unknown): void {
  if (!isRecord(decision)) return
  const unknown = Object.keys(decision).find((key) => !decisionKeys.has(key))
  if (unknown !== undefined) throw new Error(`the decision has an unknown key "${unknown}"`)
  if (decision.remember !== undefined && decision.remember !== 'once') {
    throw new Error(
      `remember: ${JSON.stringify(decision.remember)} is not supported; answer "once" or leave it out`,
    )
  }
}

async function readDecision(
  decision: ApprovalDecision,
  call: PreparedCall,
  scope: ExecutionScope,
): Promise<ApprovalAnswer> {
  const answer = isRecord(decision) ? decision : { approved: decision === true }
  const reason = typeof answer.reason === 'string' && answer.reason !== '' ? answer.reason : undefined
  const approved = answer.approved === true
  call.emit(defined({ type: 'approval-answered' as const, approved, reason }))
  if (!approved) {
    const { unanswered } = answer as { unanswered?: unknown }
    return typeof unanswered === 'string'
      ? denied(scope.texts.notAnswered(call.name, unanswered))
      : denied(scope.texts.denied(call.name, reason))
  }
  const approval = defined({ approved: true as const, reason })
  const { input } = answer as { input?: unknown }
  if (input === undefined || sameInput(input, call.input)) {
    return { kind: 'go', call: { ...call, approval, approvedInput: call.input } }
  }
  const checked = await recheck(call, input, scope)
  if (isSettlement(checked)) return { kind: 'settled', settlement: checked }
  return { kind: 'go', call: { ...checked, approval, approvedInput: checked.input, edited: true } }
}

/**
 * Whether the tool that the person was asked about is gone or another one stands in its place: a yes is bound
 * to the tool that it was given for. A tool that was registered again with the same definition is another one
 * too; sources that the library does not know are compared by fingerprint alone.
 */
export async function wasReplaced({ name, listed }: PreparedCall, scope: ExecutionScope): Promise<boolean> {
  const current = (await scope.source.list()).find(({ definition }) => definition.name === name)
  if (current === undefined || current.fingerprint !== listed.fingerprint) return true
  return isStamped(listed) && current !== listed
}

/** Whether two inputs are the same JSON, whatever the order of their keys. */
export function sameInput(a: unknown, b: JsonObject): boolean {
  try {
    return isRecord(a) && canonicalJson(a as JsonObject) === canonicalJson(b)
  } catch {
    return false
  }
}

function denied(text: string): ApprovalAnswer {
  return { kind: 'settled', settlement: failure('denied', 'denied', text) }
}
