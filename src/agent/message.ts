import type { JsonObject } from '../tool/json-value.ts'
import type { CallEnding } from '../tool/tool-result.ts'

/** A call in the history. */
export interface MessageCall {
  /** The library's id, which ties the call to its result. */
  readonly id: string
  /** The provider's id, for the wire. */
  readonly providerId?: string
  readonly name: string
  readonly input: JsonObject
}

/** The answer to a call in the history. */
export interface MessageResult {
  readonly callId: string
  readonly name: string
  /** What the model reads. */
  readonly text: string
  readonly outcome: CallEnding
}

/**
 * One message of a conversation; plain JSON. After an assistant message with calls comes a tool message
 * with one result for each of them, in the same order.
 */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly MessageCall[] }
  | { readonly role: 'tool'; readonly results: readonly MessageResult[] }
