import type { ToolChange } from '../tool/tool-change.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { LookedAt } from './preflight.ts'

/** What the rules say about a call before anyone is asked. */
export type PolicyDecision =
  | { readonly kind: 'allow' }
  | ({ readonly kind: 'confirm' } & AskedFor)
  /** The person fills in fields that are theirs, and thereby says yes. */
  | ({ readonly kind: 'fields' } & AskedFor)

/** Why a person is asked. */
interface AskedFor {
  readonly reasons: readonly string[]
  readonly change?: ToolChange | undefined
  /** What exactly the yes is to, beside the input. */
  readonly boundTo?: string | undefined
}

/**
 * Judges a checked call. The strictest answer wins: the definition on the page and the tool's own answer
 * for this input are both asked, so that a tool can never be less strict than it is listed.
 */
export function judge(
  listed: ListedTool,
  { lacksFields, needsApproval, reasons, change, boundTo }: LookedAt,
): PolicyDecision {
  if (lacksFields) return { kind: 'fields', reasons }
  const asked = listed.definition.needsApproval === true || needsApproval
  return asked ? { kind: 'confirm', reasons, change, boundTo } : { kind: 'allow' }
}

/** What exactly a yes to a call is to, beside its input, when its tool says so. */
export function boundTo(decision: PolicyDecision): string | undefined {
  return decision.kind === 'confirm' ? decision.boundTo : undefined
}
