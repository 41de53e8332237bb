import { signalOf, stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { JsonObject, ToolIssue } from '../tool/json-value.ts'
import type { PolicyReason } from '../tool/policy-reason.ts'
import type { ToolChange } from '../tool/tool-change.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { replacedSince } from '../toolset/listed-tool.ts'
import { applyYes } from './apply-yes.ts'
import { type Answer, type ApprovalDecision, type GrantDuration, readDecision } from './decision.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { issuesOf } from './look-at.ts'
import { deferral, pendingCall, questionAbout } from './pending.ts'
import { boundTo } from './policy.ts'
import type { PreparedCall } from './prepare-call.ts'
import { cancelled, failure, isSettlement, unexpected } from './settle.ts'

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
  /** Those of the reasons that rules of the policy gave, with what was read that is behind them. */
  readonly policy?: readonly PolicyReason[]
  /** What of the tool has changed since it was trusted, if that is why. */
  readonly change?: ToolChange
  /** What exactly a yes is to, beside the input, when the tool says so; such a yes is not remembered. */
  readonly boundTo?: string
  /** JSON Schema of the whole input, the person's fields included: what a form is made from. */
  readonly inputSchema: JsonObject
  /** JSON Schema of the fields that the person fills in. When set, a yes must carry them. */
  readonly userFields?: JsonObject
  /** For how long a yes can be kept beside this once; empty when nothing keeps it. */
  readonly mayRemember: readonly GrantDuration[]
  /** Looks at a changed input as the gate will: what is wrong with it, an empty list when it may be sent. */
  check(input: JsonObject): Promise<readonly ToolIssue[]>
  /** Aborts when the question is withdrawn; an answer after that is refused. */
  readonly signal: AbortSignal
}

/** Asks the person, for example with `confirmDialog()`. One that throws has denied. */
export type ConfirmHandler = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>

/**
 * Gets a person's yes for a call: the call, that may run now, or how it ended instead, or that it waits for an
 * answer. One whose policy says allow passes at once; an answer that was given already beats what is remembered.
 */
export function approve(
  call: PreparedCall,
  scope: ExecutionScope,
): PreparedCall | Promise<PreparedCall | Settlement> {
  if (isAllowed(call)) return call
  const { answer } = call
  const approved = answer === undefined ? getYes(call, scope) : answered(call, answer, scope)
  return approved.catch((error: unknown) => unexpected(call.name, error))
}

/** Whether nobody has to be asked about a call, and nobody was. */
export function isAllowed({ answer, decision }: PreparedCall): boolean {
  return answer === undefined && decision.kind === 'allow'
}

async function getYes(call: PreparedCall, scope: ExecutionScope): Promise<PreparedCall | Settlement> {
  const { kind } = call.decision
  // What a person said yes to was the tool before it changed.
  const mayRecall =
    call.decision.kind === 'confirm' &&
    call.decision.change === undefined &&
    boundTo(call.decision) === undefined
  const remembered = mayRecall ? await untilAborted(recall(call, scope), scope.signal) : undefined
  if (remembered === stopped) return cancelled(call.name, false, scope.texts)
  if (remembered !== undefined) {
    const approval = { approved: true, remembered } as const
    scope.trail?.note(call.id, { stage: 'grant', answer: 'allow', by: remembered })
    return { ...call, approval, approvedInput: call.input }
  }
  const { confirm, texts } = scope
  if (confirm === undefined) return failure('denied', texts.nobodyToAsk(call.name))
  if (confirm === 'pause') {
    return deferral(call.name, scope, await pendingCall(call, kind === 'fields' ? 'fields' : 'approval'))
  }
  return ask(call, confirm, scope)
}

/** Does what an answer of before says. A yes that does not fit is the person's slip: the question stays open. */
async function answered(
  call: PreparedCall,
  answer: Answer,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const done = await obey(call, scope, async () => answer)
  if (!answer.approved || !isSettlement(done) || done.outcome === 'cancelled') return done
  const { answer: _unfit, decision, ...open } = call
  const reasons = [...(decision.kind === 'allow' ? [] : decision.reasons), done.response.text]
  return getYes(
    { ...open, decision: { ...decision, kind: decision.kind === 'fields' ? 'fields' : 'confirm', reasons } },
    scope,
  )
}

async function recall(
  call: PreparedCall,
  { grants, taint, policy }: ExecutionScope,
): Promise<GrantDuration | undefined> {
  const { name, origin, listed, input } = call
  const { fingerprint } = listed
  const question = {
    toolName: name,
    origin,
    fingerprint,
    input,
    replacedAt: replacedSince(listed),
    // A yes to whatever the tool is called with was not given to what text from outside may want.
    exactOnly: taint?.isTainted === true && policy !== 'off',
  }
  return (await grants?.find(question))?.duration
}

async function ask(
  call: PreparedCall,
  confirm: ConfirmHandler,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const request = requestFor(call, scope)
  scope.emit?.(call.id, { type: 'approval-requested', request })
  return obey(call, scope, async () => {
    const decision = await untilAborted((async () => confirm(request))(), scope.signal)
    return decision === stopped ? stopped : readDecision(decision)
  })
}

/** Does what an answer says; one that cannot be had or obeyed is a no. */
async function obey(
  call: PreparedCall,
  scope: ExecutionScope,
  answered: () => Promise<Answer | typeof stopped>,
): Promise<PreparedCall | Settlement> {
  const { texts } = scope
  try {
    const answer = await answered()
    return answer === stopped ? cancelled(call.name, false, texts) : await decide(call, answer, scope)
  } catch (error) {
    scope.emit?.(call.id, { type: 'approval-answered', approved: false })
    return failure('denied', texts.confirmFailed(call.name, errorToData(error).message))
  }
}

function requestFor(call: PreparedCall, scope: ExecutionScope): ApprovalRequest {
  const { decision } = call
  const canKeep = scope.grants !== undefined && decision.kind !== 'fields' && boundTo(decision) === undefined
  return Object.freeze({
    ...questionAbout(call),
    mayRemember: canKeep ? (['session', 'always'] as const) : [],
    check: (input: JsonObject) => issuesOf({ callId: call.id, toolName: call.name }, input, scope),
    signal: signalOf(scope.signal),
  })
}

/** What an answer makes of a call. */
async function decide(
  call: PreparedCall,
  answer: Answer,
  scope: ExecutionScope,
): Promise<PreparedCall | Settlement> {
  const { texts } = scope
  const { approved, reason, unanswered } = answer
  const why = reason ?? unanswered
  scope.trail?.note(
    call.id,
    defined({ stage: 'person' as const, answer: approved ? 'allow' : 'deny', reason: why }),
  )
  if (!approved) {
    scope.emit?.(call.id, defined({ type: 'approval-answered' as const, approved, reason }))
    const text =
      unanswered === undefined ? texts.denied(call.name, reason) : texts.notAnswered(call.name, unanswered)
    return failure('denied', text)
  }
  const applied = await applyYes(call, answer, scope)
  // An answer that could not be obeyed was none: whoever asks says so.
  if (isSettlement(applied) && call.decision.kind === 'fields' && applied.error?.issues !== undefined) {
    // Only which: a validator repeats the value, which is not the model's to read.
    const fields = [...new Set(applied.error.issues.map(({ path }) => `"${path}"`))].join(', ')
    throw new Error(`these fields are not valid: ${fields}`)
  }
  scope.emit?.(call.id, defined({ type: 'approval-answered' as const, approved, reason }))
  if (isSettlement(applied) || boundTo(applied.decision) === boundTo(call.decision)) return applied
  // The person changed the input, and has not seen what their yes would be to.
  const { approval: _earlier, approvedInput: _shown, ...open } = applied
  return getYes(open, scope)
}
