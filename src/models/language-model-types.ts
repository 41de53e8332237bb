import type { ProviderMetadata } from '../agent/message.ts'

/**
 * A model of the AI SDK, or of any package that speaks its specification: what is used of `LanguageModelV3` and
 * `LanguageModelV4` of `@ai-sdk/provider`. Such packages exist for hosted models and for those that run in the
 * browser.
 */
export interface AnyLanguageModel {
  readonly specificationVersion: 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  /** The addresses that the provider fetches by itself, by media type. */
  readonly supportedUrls: SupportedUrls | PromiseLike<SupportedUrls>
  doStream(options: LanguageModelCall): PromiseLike<{ readonly stream: ReadableStream<LanguageModelPart> }>
}

/** Expressions that the addresses match, by media type: `image/png`, `image/*` or `*`. */
export type SupportedUrls = Readonly<Record<string, readonly RegExp[]>>

/** What a model is called with. */
export interface LanguageModelCall {
  readonly prompt: readonly object[]
  readonly tools?: readonly object[]
  readonly toolChoice?: object
  readonly abortSignal?: AbortSignal
}

/** A part of the stream: the members of all the kinds that are read, as the two versions have them. */
export interface LanguageModelPart {
  readonly type: string
  readonly id?: string
  readonly delta?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: unknown
  readonly providerExecuted?: boolean
  readonly providerMetadata?: object
  readonly mediaType?: string
  readonly data?: unknown
  readonly finishReason?: unknown
  readonly usage?: unknown
  readonly error?: unknown
}

/** A message of the prompt; both versions have these. */
export type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant' | 'tool'; readonly content: readonly PromptPart[] }

/** A piece of a message of the prompt. */
export interface PromptPart {
  readonly type: string
  readonly providerOptions?: ProviderMetadata | undefined
  readonly [member: string]: unknown
}
