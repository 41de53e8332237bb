import { stopped, untilAborted } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement, ToolCall, ToolResult } from '../tool/tool-result.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { type ListedTool, middlewareOf } from '../toolset/listed-tool.ts'
import type { MiddlewareContext, ToolMiddleware } from '../toolset/tool-middleware.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { cancelled, failure } from './settle.ts'

/** The middleware round a tool: the agent's, then that of its toolsets. The first is outermost. */
export function layersOf(listed: ListedTool, scope: ExecutionScope): readonly ToolMiddleware[] {
  const own = middlewareOf(listed)
  return own.length === 0 ? scope.middleware : [...scope.middleware, ...own]
}

/** Runs all `before` functions, the outermost first. */
export async function runBefore(
  call: ToolCall,
  layers: readonly ToolMiddleware[],
  context: MiddlewareContext,
  scope: ExecutionScope,
): Promise<{ readonly input: JsonObject } | Settlement> {
  let current = call
  for (const [index, middleware] of layers.entries()) {
    if (middleware.before === undefined) continue
    try {
      const answered = await untilAborted((async () => middleware.before?.(current, context))(), scope.signal)
      if (answered === stopped) return cancelled(call.name, false, scope.texts)
      if (answered === undefined || answered === null) continue
      if ('response' in answered) {
        const { response } = answered
        if (!isResponse(response)) throw new Error('response: make it with ToolResponse.ok(), for example')
        return { outcome: response.status, response }
      }
      if (!isRecord(answered.input))
        throw new Error('before() must return nothing, { input } or { response }')
      current = { ...current, input: answered.input }
    } catch (error) {
      return blocked(call.name, middleware.name ?? `middleware ${index + 1}`, error, scope)
    }
  }
  return { input: current.input }
}

/** Whether what middleware gave is a response that can be recorded. */
export function isResponse(value: unknown): value is ToolResponse {
  return isRecord(value) && typeof value.text === 'string' && typeof value.status === 'string'
}

/** The ending of a call that a throwing middleware blocked. */
export function blocked(name: string, middleware: string, error: unknown, scope: ExecutionScope): Settlement {
  const reason = `${middleware}: ${errorToData(error).message}`
  return failure('denied', scope.texts.blockedByMiddleware(name, reason), 'middleware')
}

/** Lets every `after` function see a result. */
export function runAfter(
  result: ToolResult,
  layers: readonly ToolMiddleware[],
  { runId, step }: ExecutionScope,
  onError: (error: unknown) => void,
): void {
  const context = defined({ runId, step })
  for (const middleware of layers) {
    if (middleware.after === undefined) continue
    void (async () => middleware.after?.(result, context))().catch(onError)
  }
}
