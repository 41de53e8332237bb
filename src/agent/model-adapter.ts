import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { FilePart, Message, ProviderMetadata } from './message.ts'

/** What a model is asked. */
export interface ModelRequest {
  readonly instructions?: string
  /** The conversation so far; append-only between the requests of one run. */
  readonly messages: readonly Message[]
  /** The tools that may be called; empty when the model must answer. */
  readonly tools: readonly ToolDefinition[]
  /**
   * Set when `tools` is empty though earlier requests of the run offered some: those. For providers that refuse a
   * history with calls unless the tools are defined; send them together with the order to call none.
   */
  readonly closedTools?: readonly ToolDefinition[]
  readonly signal: AbortSignal
}

/** Why a model stopped. `other` stands for every reason that needs no action. */
export type ModelFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** Tokens that a request cost, as far as the provider says. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

interface DeltaFields {
  readonly text: string
  /** Deltas of the same type and part, one behind the other, make one piece of the message. @default one piece */
  readonly part?: string
  /** Of the piece; the last one given counts. A delta may carry nothing else. */
  readonly providerMetadata?: ProviderMetadata
}

/** What a model sends back. Calls count whatever the finish reason says. */
export type ModelEvent =
  | ({ readonly type: 'text-delta' } & DeltaFields)
  | ({ readonly type: 'reasoning-delta' } & DeltaFields)
  /** The next piece of a call's arguments, for a UI that shows a call while it is written. Not needed. */
  | {
      readonly type: 'call-input-delta'
      /** The same for all pieces of one call, and in its `call`; only within this answer. */
      readonly key: string
      /** Never empty. */
      readonly name: string
      readonly text: string
    }
  /** A whole call. `input` is an object or JSON text; `id` may repeat or be missing. */
  | {
      readonly type: 'call'
      readonly id?: string
      readonly name: string
      readonly input: unknown
      /** That of its `call-input-delta` events. */
      readonly key?: string
      /** Whether the provider itself said that the call is complete, before the message was. */
      readonly closed?: boolean
      readonly providerMetadata?: ProviderMetadata
    }
  /** An image or a file that the model made. */
  | { readonly type: 'file'; readonly file: FilePart }
  | { readonly type: 'finish'; readonly reason: ModelFinish; readonly usage?: Usage }

/**
 * A bridge to a model: one request in, a stream of events out. What it throws ends the run with a `RunError`.
 * An answer that just stops, without a `finish` event, counts as cut off only if the adapter says so.
 */
export interface ModelAdapter {
  /** For messages and events. */
  readonly name: string
  /** What the model can do, in words that tools use in `requires`, for example `images`. Absent: nobody says. */
  readonly capabilities?: readonly string[]
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}
