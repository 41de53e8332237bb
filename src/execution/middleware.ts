import { stopped, untilAborted } from '../tool/abort.ts'
import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isRecord, type JsonObject } from '../tool/json-value.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import type { ToolOrigin } from '../tool/tool-origin.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { cancelled, failure } from './settle.ts'
import type { CallEnding, Settlement, ToolCall, ToolResult } from './tool-result.ts'

/** What middleware is told beside the call. */
export interface MiddlewareContext {
  readonly definition: ToolDefinition
  readonly origin: ToolOrigin
  readonly runId?: string
  readonly step?: number
  readonly signal: AbortSignal
  readonly deps: unknown
}

/** A response and how the call ended. */
export interface MiddlewareResult {
  readonly response: ToolResponse
  readonly outcome: CallEnding
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

/** Throws a {@link ToolRegistrationError} for middleware that would do nothing. */
export function checkMiddleware(middleware: readonly ToolMiddleware[] | undefined, where: string): void {
  if (middleware === undefined) return
  if (!Array.isArray(middleware)) {
    throw new ToolRegistrationError(`${where}, middleware: expected a list.`)
  }
  for (const [index, item] of middleware.entries()) {
    checkOptions(item, ['name', 'before', 'wrap', 'after'], `${where}, middleware[${index}]`)
  }
}

/** Runs all `before` functions, the first of the list first. */
export async function runBefore(
  call: ToolCall,
  context: MiddlewareContext,
  scope: ExecutionScope,
): Promise<{ readonly input: JsonObject } | Settlement> {
  let current = call
  for (const [index, middleware] of scope.middleware.entries()) {
    if (middleware.before === undefined) continue
    try {
      const answered = await untilAborted((async () => middleware.before?.(current, context))(), scope.signal)
      if (answered === stopped) return cancelled(call.name, false, scope.texts)
      if (answered === undefined || answered === null) continue
      if ('response' in answered) return { outcome: answered.response.status, response: answered.response }
      if (!isRecord(answered.input))
        throw new Error('before() must return nothing, { input } or { response }')
      current = { ...current, input: answered.input }
    } catch (error) {
      return blocked(call.name, middleware.name ?? `middleware ${index + 1}`, error, scope)
    }
  }
  return { input: current.input }
}

/** The ending of a call that a throwing middleware blocked. */
export function blocked(name: string, middleware: string, error: unknown, scope: ExecutionScope): Settlement {
  const reason = `${middleware}: ${errorToData(error).message}`
  return failure('denied', scope.texts.blockedByMiddleware(name, reason), 'middleware')
}

/** Lets every `after` function see a result. */
export function runAfter(result: ToolResult, scope: ExecutionScope, onError: (error: unknown) => void): void {
  const context = defined({ runId: scope.runId, step: scope.step })
  for (const middleware of scope.middleware) {
    if (middleware.after === undefined) continue
    void (async () => middleware.after?.(result, context))().catch(onError)
  }
}
