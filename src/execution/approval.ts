import { stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { canonicalJson, isRecord, type JsonObject } from '../tool/json-value.ts'
import type { ToolApproval } from '../tool/run-context.ts'
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

const decisionKeys = ['approved', 'reason', 'input', 'unanswered', 'remember']

/**
 * Asks the person about a call and reads the answer: the call, that may run now, or how it ended instead. One
 * whose policy says allow passes at once.
 */
export async function approve(call: PreparedCall, scope: ExecutionScope): Promise<PreparedCall | Settlement> {
  if (call.decision.kind === 'allow') return call
  const { texts, confirm, signal } = scope
  if (confirm === undefined) return failure('denied', texts.nobodyToAsk(call.name))
  const request: ApprovalRequest = Object.freeze({
    callId: call.id,
    toolName: call.name,
    origin: call.origin,
    description: call.listed.definition.description,
    input: call.input,
    reasons: call.decision.reasons,
    signal,
  })
  call.emit({ type: 'approval-requested', request })
  let answer: Answer
  try {
    const decision = await untilAborted((async () => confirm(request))(), signal)
    if (decision === stopped) return cancelled(call.name, false, texts)
    answer = readDecision(decision)
  } catch (error) {
    call.emit({ type: 'approval-answered', approved: false })
    return failure('denied', texts.confirmFailed(call.name, errorToData(error).message))
  }
  const { approved, reason, input, unanswered } = answer
  call.emit(defined({ type: 'approval-answered' as const, approved, reason }))
  if (approved) return applyApproval(call, defined({ approved, reason }), input, scope)
  const text =
    unanswered === undefined ? texts.denied(call.name, reason) : texts.notAnswered(call.name, unanswered)
  return failure('denied', text)
}

/** A decision, read with care: it may come from code without types. */
interface Answer {
  readonly approved: boolean
  readonly reason?: string | undefined
  readonly input?: unknown
  readonly unanswered?: string | undefined
}

function readDecision(decision: unknown): Answer {
  if (!isRecord(decision)) return { approved: decision === true }
  const { approved, reason, input, unanswered, remember = 'once' } = decision
  // A decision that asks for more than is done would be a promise broken in silence.
  const unknown = Object.keys(decision).find((key) => !decisionKeys.includes(key))
  if (unknown !== undefined) throw new Error(`the decision has an unknown key "${unknown}"`)
  if (remember !== 'once') {
    throw new Error(`remember: ${JSON.stringify(remember)} is not supported, only "once"`)
  }
  return {
    approved: approved === true,
    reason: typeof reason === 'string' && reason !== '' ? reason : undefined,
    input,
    unanswered: typeof unanswered === 'string' ? unanswered : undefined,
  }
}

async function applyApproval(
  call: PreparedCall,
  approval: ToolApproval,
  input: unknown,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const isSame = input === undefined || sameInput(input, call.input)
  const checked = isSame ? call : await recheck(call, input, scope)
  if (isSettlement(checked)) return checked
  return { ...checked, approval, approvedInput: checked.input, edited: checked.edited || !isSame }
}

/**
 * Whether the tool that the person was asked about is gone or another one stands in its place: a yes is bound
 * to the tool that it was given for. A tool that was registered again with the same definition is another one
 * too; sources that the library does not know are compared by fingerprint alone.
 */
export async function wasReplaced({ name, listed }: PreparedCall, scope: ExecutionScope): Promise<boolean> {
  const current = (await scope.source.list()).find(({ definition }) => definition.name === name)
  return current?.fingerprint !== listed.fingerprint || (isStamped(listed) && current !== listed)
}

/** Whether two inputs are the same JSON, whatever the order of their keys. */
export function sameInput(a: unknown, b: JsonObject): boolean {
  try {
    return isRecord(a) && canonicalJson(a as JsonObject) === canonicalJson(b)
  } catch {
    return false
  }
}
