import { onAbort } from '../tool/abort.ts'
import { errorToData } from '../tool/error-data.ts'
import { isRecord, type JsonObject } from '../tool/json-value.ts'
import type { ExecutionScope } from './execution-scope.ts'
import {
  blocked,
  type MiddlewareContext,
  type MiddlewareResult,
  type NextCall,
  type ToolMiddleware,
} from './middleware.ts'
import { middlewareContext, type PreparedCall, toolCall } from './prepare-call.ts'
import { cancelled, failure } from './settle.ts'
import type { Settlement, ToolCall } from './tool-result.ts'

/** What one pass through the onion leaves behind. */
export interface Pass {
  /** The call as it last ran. */
  ran: PreparedCall
  /** A call that must be approved before it can run. */
  pending?: PreparedCall
  lane?: string | undefined
  /** Set once the tool started. */
  startedAt?: number
}

/**
 * Runs a call inside all `wrap` functions, the first of the list outermost. What a throwing one blocks is
 * denied if the tool had not started. When an outer layer returns while the tool still runs, `abandon` is
 * called and the tool is waited for: no work survives its call.
 */
export async function runOnion(
  call: PreparedCall,
  pass: Pass,
  inner: (input?: JsonObject) => Promise<Settlement>,
  scope: ExecutionScope,
  abandon: () => void,
): Promise<Settlement> {
  const layers = scope.middleware.filter((middleware) => middleware.wrap !== undefined)
  if (layers.length === 0) return inner()
  let last: Settlement | undefined
  const open = new Set<Promise<Settlement>>()
  const innermost: NextCall = async (input) => {
    const running = inner(input)
    open.add(running)
    last = await running.finally(() => open.delete(running))
    return { response: last.response, outcome: last.outcome }
  }
  const context = middlewareContext(call.listed, scope)
  const next = layers.reduceRight<NextCall>(
    (inside, layer) => layerCall(layer, call, context, inside),
    innermost,
  )
  try {
    const result = await silenceGuard(next(), () => open.size > 0, call, scope)
    // An ending that passes keeps its error, also when a layer rewrote the text (to redact it, say).
    return last?.error !== undefined && last.outcome === result.outcome
      ? { ...result, error: last.error }
      : result
  } catch (error) {
    const started = pass.startedAt !== undefined
    if (scope.signal.aborted) return cancelled(call.name, started, scope.texts)
    if (!started) return blocked(call.name, 'middleware', error, scope)
    return failure('error', scope.texts.middlewareFailed(call.name, errorToData(error).message), 'middleware')
  } finally {
    if (open.size > 0) abandon()
    await Promise.all(open)
  }
}

function layerCall(
  layer: ToolMiddleware,
  call: PreparedCall,
  context: MiddlewareContext,
  inside: NextCall,
): NextCall {
  return async (input) => {
    const shown: ToolCall = { ...toolCall(call), input: input ?? call.input }
    const result = await layer.wrap?.(shown, context, (other) => inside(other ?? input))
    if (!isResult(result)) {
      throw new Error(
        `wrap() of ${layer.name ?? 'a middleware'} must return what next() gave, or { response, outcome }`,
      )
    }
    return result
  }
}

function isResult(value: unknown): value is MiddlewareResult {
  return isRecord(value) && isRecord(value.response) && typeof value.outcome === 'string'
}

/**
 * Ends the wait for middleware that neither answers nor runs the tool: while the tool runs its own deadline
 * counts, and before and after that the same time again is enough for any code round it.
 */
function silenceGuard(
  result: Promise<MiddlewareResult>,
  toolRuns: () => boolean,
  call: PreparedCall,
  scope: ExecutionScope,
): Promise<MiddlewareResult> {
  const limitMs = call.listed.definition.timeoutMs ?? scope.timeoutMs
  const stepMs = Math.min(limitMs / 4, 1_000)
  let silentMs = 0
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      silentMs = toolRuns() ? 0 : silentMs + stepMs
      if (silentMs >= limitMs) reject(new Error(`no answer within ${limitMs} ms`))
    }, stepMs)
    const stop = () => {
      // A tool that runs is aborted by the same signal and then waited for.
      if (!toolRuns()) reject(scope.signal.reason)
    }
    const release = onAbort(scope.signal, stop)
    result.then(resolve, reject).finally(() => {
      clearInterval(timer)
      release()
    })
  })
}
