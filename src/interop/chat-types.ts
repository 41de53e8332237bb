import type { PendingCall } from '../tool/pending-call.ts'

/** A message of AI SDK's user interface, as far as it is read here. */
export interface ChatMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly object[]
}

/** What `useChat` and its like ask a transport for. */
export interface ChatRequest {
  readonly trigger: 'submit-message' | 'regenerate-message'
  readonly chatId: string
  readonly messageId?: string | undefined
  readonly messages: readonly ChatMessage[]
  readonly abortSignal?: AbortSignal | undefined
}

/** What a question is about, for whoever draws it: of all that may be in a {@link PendingCall}. */
export type ChatQuestion = Pick<
  PendingCall,
  'callId' | 'toolName' | 'origin' | 'input' | 'reasons' | 'policy' | 'change' | 'boundTo'
>

/** A piece of the stream that a transport gives (AI SDK's `UIMessageChunk`, what versions 6 and 7 share of it). */
export type ChatChunk =
  | { type: 'start'; messageId?: string }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'finish'; finishReason: 'stop' | 'length' | 'tool-calls' | 'other' }
  | { type: 'abort' }
  | { type: 'error'; errorText: string }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | { type: 'file'; url: string; mediaType: string }
  | { type: 'tool-input-start'; toolCallId: string; toolName: string }
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | { type: 'tool-input-available'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'data-offstage-question'; id: string; data: ChatQuestion }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; preliminary?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string }
  | { type: 'tool-output-denied'; toolCallId: string }

/** What AI SDK's `ChatTransport` is. */
export interface ChatTransport {
  /** Says something, or answers what was asked; gives what the agent does. Never rejects. */
  sendMessages(request: ChatRequest): Promise<ReadableStream<ChatChunk>>
  /** There is nothing to go back to: a run lives as long as its stream. */
  reconnectToStream(request: { readonly chatId: string }): Promise<null>
  /** Forgets a conversation with which nobody will go on, with its long results. */
  forget(chatId: string): Promise<void>
}
