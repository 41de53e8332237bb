import type { ArgumentRepair } from './arguments/argument-repair.ts'
import type { ToolError } from './errors.ts'
import type { JsonObject } from './json-value.ts'
import type { PendingCall } from './pending-call.ts'
import type { ToolApproval } from './run-context.ts'
import type { ToolOrigin } from './tool-origin.ts'
import type { ToolResponse } from './tool-response.ts'

/** A call as a model, an app or a foreign loop asks for it. */
export interface CallRequest {
  readonly name: string
  /** An object, or JSON text of one; see {@link ArgumentRepair} for what else is understood. */
  readonly input: unknown
  /** The provider's id. It may repeat or be missing; it is kept for the wire only. */
  readonly providerId?: string
}

/** A tool's name and what may be sent to it; `ServedCall<typeof tools>` gives the union for a worker file. */
export interface KnownCall {
  readonly name: string
  readonly input: unknown
}

/** A {@link ToolCall} whose name and input are known by type. */
export type TypedCall<Known extends KnownCall> = Known extends unknown
  ? Omit<ToolCall, keyof Known> & Known
  : never

/** A request by the model, after it was read. */
export interface ToolCall {
  /** Made by the library; unique for each call. */
  readonly id: string
  readonly providerId?: string
  /** The tool's name; of a tool that is not there, as the model wrote it. */
  readonly name: string
  /** The input in the form that everyone sees: JSON, defaults filled in, unknown keys gone. Frozen. */
  readonly input: JsonObject
}

/** Every way in which a call can end. */
export type CallEnding =
  | 'success'
  | 'partial'
  | 'error'
  | 'invalid'
  | 'unknown'
  | 'denied'
  | 'not-allowed'
  | 'timeout'
  | 'cancelled'
  | 'cut-off'
  | 'limit'
  | 'interrupted'
  | 'deferred'

/** What a stage says when it ends a call. */
export interface Settlement {
  readonly outcome: CallEnding
  readonly response: ToolResponse
  readonly error?: ToolError
  /** With the outcome `deferred`: what must be answered. Absent when the call only waits for another one. */
  readonly pending?: PendingCall
}

/** What a result brings into the run that reads it; plain JSON. */
export interface ResultTaint {
  /** Whether its text is not to be trusted. */
  readonly untrusted: boolean
  /** Whether it may hold private data. */
  readonly private: boolean
  /** Who made the tool. */
  readonly origin: ToolOrigin
}

/** The response tied to its call: exactly one for each call id, whatever happened. */
export interface ToolResult extends Settlement {
  readonly call: ToolCall
  /** Who made the tool; absent when there is none of that name. */
  readonly origin?: ToolOrigin
  /** Set where the tool's labels say that some of its results are untrusted or private: whether this one is. */
  readonly taint?: ResultTaint
  /** What was mended in the call as the model sent it, each rule once. */
  readonly repaired?: readonly ArgumentRepair[]
  /** Dotted paths of input keys that the schema does not know and that were dropped. */
  readonly droppedKeys?: readonly string[]
  /** The person's yes, when one was given. */
  readonly approval?: ToolApproval
  /** What the person saw and approved, when somebody was asked. Differs from `call.input` when edited. */
  readonly approvedInput?: JsonObject
  /** What the tool was started with; absent when it never started. */
  readonly executedInput?: JsonObject
  /** The worker lane that ran it. */
  readonly lane?: string
  /** When the tool started, in milliseconds since the epoch. */
  readonly startedAt?: number
  /** From that start to the end, in milliseconds. */
  readonly durationMs?: number
}
