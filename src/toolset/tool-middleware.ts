import type { ToolError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { ToolDefinition, ToolLabels } from '../tool/tool-definition.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { CallEnding, ToolCall, ToolResult } from '../tool/tool-result.ts'

/** What middleware is told beside the call. */
export interface MiddlewareContext {
  readonly definition: ToolDefinition
  readonly origin: ToolOrigin
  /** Changes when the tool does: part of any key under which something about it is kept. */
  readonly fingerprint: string
  /** How this very call is judged. Only for `wrap`: before the check nobody knows. */
  readonly labels?: ToolLabels
  /** Whether a person said yes to this very call. Only for `wrap`. */
  readonly approved?: boolean
  readonly runId?: string
  readonly step?: number
  readonly signal: AbortSignal
  readonly deps: unknown
}

/** A response and how the call ended. */
export interface MiddlewareResult {
  readonly response: ToolResponse
  readonly outcome: CallEnding
  /** Why the call failed, as far as the library knows; what middleware gives here counts for nothing. */
  readonly error?: ToolError
}

/** Runs what is inside: further middleware, then the tool. May be called again, to retry. */
export type NextCall = (input?: JsonObject) => Promise<MiddlewareResult>

/** What `before` may give back: nothing, another input, or a response that ends the call. */
export type BeforeAnswer =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement must fit
  void | undefined | { readonly input: JsonObject } | { readonly response: ToolResponse }

/** Code round a call, on the page. Any throw blocks the call: a broken guard must not let it pass. */
export interface ToolMiddleware {
  /** For messages. */
  readonly name?: string
  /** Before the schema is checked: may give another input, or a response instead of running. */
  before?(call: ToolCall, context: MiddlewareContext): BeforeAnswer | Promise<BeforeAnswer>
  /**
   * Round the execution. `next(otherInput)` is checked and judged again; when a person must be asked it
   * resolves with the outcome `deferred`, to be returned unchanged: the call then starts again once approved.
   */
  wrap?(call: ToolCall, context: MiddlewareContext, next: NextCall): Promise<MiddlewareResult>
  /** Sees every ending. Cannot change it; a throw becomes an `error` event. Not waited for. */
  after?(
    result: ToolResult,
    context: { readonly runId?: string; readonly step?: number },
  ): void | Promise<void>
}
