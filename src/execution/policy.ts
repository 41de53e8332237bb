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
}

/**
 * Judges a checked call. The strictest answer wins: the definition on the page and the tool's own answer
 * for this input are both asked, so that a tool can never be less strict than it is listed.
 */
export function judge(
  listed: ListedTool,
  { lacksFields, needsApproval, reasons, change }: LookedAt,
): PolicyDecision {
  if (lacksFields) return { kind: 'fields', reasons }
  const asked = listed.definition.needsApproval === true || needsApproval
  return asked ? { kind: 'confirm', reasons, change } : { kind: 'allow' }
}
