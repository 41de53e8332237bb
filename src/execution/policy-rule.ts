import type { Destination } from '../tool/policy-reason.ts'
import type { PolicyTexts } from '../tool/policy-texts.ts'
import type { TaintSource } from '../tool/taint-source.ts'
import type { ToolDefinition, ToolLabels } from '../tool/tool-definition.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import type { ToolCall } from '../tool/tool-result.ts'
import type { Taint } from './taint.ts'

/** What a rule is asked: may this call run? */
export interface PolicyQuestion {
  /** With the input as it would run. */
  readonly call: ToolCall
  readonly definition: ToolDefinition
  /** As they are for this input. */
  readonly labels: ToolLabels
  readonly origin: ToolOrigin
  /** What the model request held that wrote the call. Nothing outside a run. */
  readonly taint: Taint
  /** Whether the tool was not offered before the run had read untrusted text, and no person has let it run since. */
  readonly isRevealed: boolean
  /**
   * Hosts and e-mail addresses in the input of a call that leaves the page, which neither the person, nor the app, nor
   * a trusted tool has named. Looked for when it is read; empty in a run that has read nothing untrusted.
   */
  readonly unknownDestinations: readonly Destination[]
  readonly texts: PolicyTexts
}

/** What a rule says of a call; nothing is as good as `allow`. */
export type PolicyAnswer =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'confirm' | 'deny'
      /** For the person who is asked, or the model whose call is refused. */
      readonly reason: string
      readonly sources?: readonly TaintSource[]
      readonly secrets?: readonly TaintSource[]
      readonly destinations?: readonly Destination[]
    }

/**
 * A rule of the policy. It answers at once; one that throws, or answers with anything else, denies. The strictest
 * answer of all counts, so that a rule can only add to what others say, and to what the tool itself asks for. A rule
 * is also asked as if nothing untrusted, or nothing private, had been read: what it says then holds at least.
 */
export interface PolicyRule {
  /** For `explain()` and for replacing it. */
  readonly name: string
  /** Whether it has nothing to say before untrusted text was read: then it is not asked. @default false */
  readonly onlyTainted?: boolean
  judge(question: PolicyQuestion): PolicyAnswer | undefined
}

/**
 * What is asked about or refused beyond what tools want: `confirm` has the rules of `defaultPolicy`, `strict` those of
 * `strictPolicy`, `off` none; or a list of rules instead.
 */
export type Policy = 'off' | 'confirm' | 'strict' | readonly PolicyRule[]
