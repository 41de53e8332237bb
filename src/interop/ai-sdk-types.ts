import type { HostOutput } from './host-output.ts'
import type { HostSchema } from './schema-for-hosts.ts'

// The part of AI SDK's types that both version 6 and 7 have, written down here so that neither is a dependency.

/** What AI SDK tells a tool with a call. */
export interface AISDKCallOptions {
  /** Both versions give it. */
  readonly toolCallId?: string
  readonly abortSignal?: AbortSignal | undefined
}

/** What the model of AI SDK is given for an output. */
export type AISDKModelOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'content'; readonly value: AISDKContent[] }

/** A piece of it. Both versions take these kinds. */
export type AISDKContent =
  | { type: 'text'; text: string }
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string }
  | { type: 'image-url' | 'file-url'; url: string; mediaType: string }

/** One of our tools as AI SDK 6 and 7 take it. */
export interface AISDKTool {
  readonly description: string
  readonly inputSchema: HostSchema
  /** `{ offstage: { origin, fingerprint } }`: told to the app, not to the model. */
  readonly metadata: { readonly offstage: { readonly origin: string; readonly fingerprint: string } }
  needsApproval(input: unknown, options?: AISDKCallOptions): Promise<boolean>
  /** Absent for tools whose calls are answered elsewhere. The last output is the result. */
  execute?(input: unknown, options?: AISDKCallOptions): AsyncGenerator<HostOutput, void, undefined>
  toModelOutput(options: { readonly output: unknown }): AISDKModelOutput
}
