import type { JsonObject } from './json-value.ts'
import type { PolicyReason } from './policy-reason.ts'
import type { ToolChange } from './tool-change.ts'
import type { ToolOrigin } from './tool-origin.ts'

/**
 * What somebody has to answer: a person's yes (`approval`), fields that a person fills in (`fields`), or the
 * output of a call that is answered elsewhere (`external`).
 */
export type PendingKind = 'approval' | 'fields' | 'external'

/** A call that waits for an answer. Plain JSON; an answer needs nothing of it but `callId`. */
export interface PendingCall {
  readonly callId: string
  readonly kind: PendingKind
  /** The name that the model sees. */
  readonly toolName: string
  readonly origin: ToolOrigin
  readonly description: string
  /** What runs after a yes. */
  readonly input: JsonObject
  /** Why the person is asked, if somebody said why. */
  readonly reasons: readonly string[]
  /** Those of the reasons that rules of the policy gave, with what was read that is behind them. */
  readonly policy?: readonly PolicyReason[]
  /** What of the tool has changed since it was trusted, if that is why. */
  readonly change?: ToolChange
  /** What exactly a yes is to, beside the input, when the tool says so; such a yes is not remembered. */
  readonly boundTo?: string
  /** JSON Schema of the whole input, the person's fields included. */
  readonly inputSchema: JsonObject
  /** JSON Schema of the fields that the person fills in. */
  readonly userFields?: JsonObject
  /** Calls of one tool with equal keys run one after the other. */
  readonly concurrencyKey?: string
  /** What the tool said about an answer that comes from elsewhere. */
  readonly metadata?: JsonObject
  /** Ties the question to this call, this tool and this input: SHA-256 (on an insecure page the JSON itself). */
  readonly digest: string
}
