import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** How long a yes holds: while this page is open, or until it is revoked. */
export type GrantDuration = 'session' | 'always'

/** What a yes holds for: this very input, or whatever the tool is called with. */
export type GrantScope = 'input' | 'tool'

/** For what a yes is kept. A bare duration is for this very input. */
export type Remember =
  | 'once'
  | GrantDuration
  | { readonly duration: GrantDuration; readonly scope: GrantScope }

/** The person's answer. Only `true` or `{ approved: true }` approves. */
export type ApprovalDecision =
  | boolean
  | {
      readonly approved: boolean
      /** What the person says; the model is told. */
      readonly reason?: string
      /** A changed input: it is checked again, and the model is told. */
      readonly input?: JsonObject
      /** The fields that the person filled in: put into the input that was shown. */
      readonly fields?: JsonObject
      /** Whether later calls need no further yes. @default 'once' */
      readonly remember?: Remember
      /** Why there was no answer at all, for example "timed out". Only with `approved: false`. */
      readonly unanswered?: string
    }

/** A decision, read with care: it may come from code without types, or out of storage. */
export interface Answer {
  readonly approved: boolean
  readonly reason?: string | undefined
  readonly input?: unknown
  readonly fields?: JsonObject | undefined
  readonly remember?: { readonly duration: GrantDuration; readonly scope: GrantScope } | undefined
  readonly unanswered?: string | undefined
}

const decisionKeys = ['approved', 'reason', 'input', 'fields', 'unanswered', 'remember']

/** @throws Error for a decision that asks for what is not done: that would be a promise broken in silence. */
export function readDecision(decision: unknown): Answer {
  if (!isRecord(decision)) return { approved: decision === true }
  const { approved, reason, input, fields, unanswered, remember = 'once' } = decision
  const unknown = Object.keys(decision).find((key) => !decisionKeys.includes(key))
  if (unknown !== undefined) throw new Error(`the decision has an unknown key "${unknown}"`)
  if (fields !== undefined && !isRecord(fields)) throw new Error('fields: expected an object')
  return {
    approved: approved === true,
    reason: typeof reason === 'string' && reason !== '' ? reason : undefined,
    input,
    fields: fields as JsonObject | undefined,
    remember: readRemember(remember),
    unanswered: typeof unanswered === 'string' ? unanswered : undefined,
  }
}

function readRemember(remember: unknown): Answer['remember'] {
  if (remember === 'once') return undefined
  const { duration, scope = 'input' } = isRecord(remember) ? remember : { duration: remember }
  const known = (duration === 'session' || duration === 'always') && (scope === 'input' || scope === 'tool')
  if (!known) {
    const shown = JSON.stringify(remember as JsonValue)
    throw new Error(
      `remember: ${shown} is not supported; give "once", "session", "always" or { duration, scope: "input" | "tool" }`,
    )
  }
  return { duration, scope }
}
