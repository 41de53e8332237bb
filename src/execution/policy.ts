import type { Preflight } from '../tool/call-outcome.ts'
import type { ListedTool } from '../toolset/tool-source.ts'

/** What the rules say about a call before anyone is asked. */
export type PolicyDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'confirm'; readonly reasons: readonly string[] }

/**
 * Judges a checked call. The strictest answer wins: the definition on the page and the tool's own answer
 * for this input are both asked, so that a tool can never be less strict than it is listed.
 */
export function judge(listed: ListedTool, preflight: Extract<Preflight, { kind: 'ready' }>): PolicyDecision {
  const asked = listed.definition.needsApproval === true || preflight.needsApproval
  return asked ? { kind: 'confirm', reasons: preflight.reasons } : { kind: 'allow' }
}
