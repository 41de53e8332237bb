import type { PolicyReason } from '../tool/policy-reason.ts'
import type { ToolChange } from '../tool/tool-change.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { askPolicy } from './ask-policy.ts'
import type { ExecutionScope } from './execution-scope.ts'
import type { LookedAt } from './preflight.ts'
import type { FoundCall } from './prepare-call.ts'
import { failure } from './settle.ts'

/** What the rules say about a call before anyone is asked. */
export type PolicyDecision =
  | { readonly kind: 'allow' }
  | ({ readonly kind: 'confirm' } & AskedFor)
  /** The person fills in fields that are theirs, and thereby says yes. */
  | ({ readonly kind: 'fields' } & AskedFor)

/** Why a person is asked. */
interface AskedFor {
  readonly reasons: readonly string[]
  /** Those of the reasons that the policy's rules gave. */
  readonly policy?: readonly PolicyReason[] | undefined
  readonly change?: ToolChange | undefined
  /** What exactly the yes is to, beside the input. */
  readonly boundTo?: string | undefined
}

/**
 * Judges a checked call. The strictest answer wins: the definition on the page, the tool's own answer for this input
 * and the policy are all asked, so that a tool can never be less strict than it is listed. A call that a rule denies
 * is over.
 */
export function judge(call: FoundCall, looked: LookedAt, scope: ExecutionScope): PolicyDecision | Settlement {
  const { lacksFields, needsApproval, reasons: own, change, boundTo } = looked
  const verdict = askPolicy(call, looked, scope)
  const { reasons: policy } = verdict ?? {}
  for (const [index, { rule, reason }] of (policy ?? []).entries()) {
    const answer = verdict?.kinds[index] ?? 'confirm'
    scope.trail?.note(call.id, { stage: 'policy', answer, by: rule, reason })
  }
  if (verdict?.kind === 'deny') {
    const why = verdict.reasons.map(({ reason }) => reason)
    return failure('denied', scope.texts.againstPolicy(call.name, why.join(' ')), 'policy')
  }
  const reasons = policy === undefined ? own : [...own, ...policy.map(({ reason }) => reason)]
  if (lacksFields) return { kind: 'fields', reasons, policy }
  const asks = call.listed.definition.needsApproval === true || needsApproval
  if (asks) scope.trail?.note(call.id, { stage: 'tool', answer: 'confirm', reason: own.join(' ') })
  return asks || verdict !== undefined
    ? { kind: 'confirm', reasons, policy, change, boundTo }
    : { kind: 'allow' }
}

/** What exactly a yes to a call is to, beside its input, when its tool says so. */
export function boundTo(decision: PolicyDecision): string | undefined {
  return decision.kind === 'confirm' ? decision.boundTo : undefined
}
