import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { Message } from './message.ts'

/** What a model is asked. */
export interface ModelRequest {
  readonly instructions?: string
  /** The conversation so far; append-only between the requests of one run. */
  readonly messages: readonly Message[]
  /** The tools that may be called; empty when the model must answer. */
  readonly tools: readonly ToolDefinition[]
  readonly signal: AbortSignal
}

/** Why a model stopped. `other` stands for every reason that needs no action. */
export type ModelFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'

/** Tokens that a request cost, as far as the provider says. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** What a model sends back. Calls count whatever the finish reason says. */
export type ModelEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  /** A whole call. `input` is an object or JSON text; `id` may repeat or be missing. */
  | { readonly type: 'call'; readonly id?: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'finish'; readonly reason: ModelFinish; readonly usage?: Usage }

/** A bridge to a model: one request in, a stream of events out. */
export interface ModelAdapter {
  /** For messages and events. */
  readonly name: string
  /** What the model can do, in words that tools use in `requires`, for example `images`. Absent: nobody says. */
  readonly capabilities?: readonly string[]
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}
