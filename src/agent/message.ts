import type { Taint } from '../execution/taint.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { CallEnding, ResultTaint } from '../tool/tool-result.ts'

/**
 * What a provider wants back byte for byte with a later request: signatures, encrypted reasoning, item ids. Nobody
 * but its adapter reads it.
 */
export type ProviderMetadata = JsonObject

/** An image or a file in a message; plain JSON. */
export interface FilePart {
  readonly type: 'image' | 'file'
  /** For example `image/png`. */
  readonly mediaType: string
  /** The bytes in base64, or an address (`https:`, `data:`) where they can be had. */
  readonly data: string
  /** A name to show. */
  readonly name?: string
  readonly providerMetadata?: ProviderMetadata
}

/** One piece of an assistant message, at its place. Those of a kind that this release does not know are kept. */
export type AssistantPart =
  | { readonly type: 'text'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  /** What the model thought before it spoke, as far as the provider shows it. */
  | { readonly type: 'reasoning'; readonly text: string; readonly providerMetadata?: ProviderMetadata }
  | FilePart
  /** The place of a call, which is in `calls`. */
  | { readonly type: 'call'; readonly callId: string; readonly providerMetadata?: ProviderMetadata }

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
  /** Images and files beside the text; models that do not take them read a line of text in their place. */
  readonly parts?: readonly FilePart[]
  /** How far the text is to be trusted, where its tool's labels say that some of its results are not. No model reads it. */
  readonly taint?: ResultTaint
}

/** What a person says. */
export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  /** Images and files that come with the text. */
  readonly parts?: readonly FilePart[]
  /** What was read in messages that `compactHistory` has left out. No model reads it. */
  readonly taint?: Taint & { readonly unjudged?: readonly string[] }
}

/** What a person says to an agent: a text, or one with images and files. */
export type UserInput = string | Omit<UserMessage, 'role' | 'taint'>

/** What a model says. */
export interface AssistantMessage {
  readonly role: 'assistant'
  /** All the text of the message. */
  readonly text: string
  readonly calls?: readonly MessageCall[]
  /**
   * The message piece by piece, in the order in which the model made it: set when there is more to it than text
   * followed by calls. Their texts joined are `text`, and each of `calls` has one place.
   */
  readonly parts?: readonly AssistantPart[]
  /** Whose descriptions of tools, which nobody has accepted, the model had read. No model reads it. */
  readonly taint?: Taint
}

/** What became of the calls of the message before. */
export interface ToolMessage {
  readonly role: 'tool'
  readonly results: readonly MessageResult[]
}

/**
 * One message of a conversation; plain JSON. After an assistant message with calls comes a tool message
 * with one result for each of them, in the same order.
 */
export type Message = UserMessage | AssistantMessage | ToolMessage
