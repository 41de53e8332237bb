import { linkedAbort, onAbort, type Stop } from '../tool/abort.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { Settlement, ToolCall } from '../tool/tool-result.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type {
  MiddlewareContext,
  MiddlewareResult,
  NextCall,
  ToolMiddleware,
} from '../toolset/tool-middleware.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { blocked, isResponse } from './middleware.ts'
import type { Pass } from './pass.ts'
import { middlewareContext, type PreparedCall, toolCall } from './prepare-call.ts'
import { cancelled, failure } from './settle.ts'

/**
 * Runs a call inside all `wrap` functions, the first of the list outermost. What a throwing one blocks is
 * denied if the tool had not started. When an outer layer returns while the tool still runs, that is stopped and
 * waited for: no work survives its call.
 *
 * @param inner - Runs the tool in the middle; its scope stops with the onion.
 */
export async function runOnion(
  layers: readonly ToolMiddleware[],
  pass: Pass,
  scope: ExecutionScope,
  inner: (input: JsonObject | undefined, scope: ExecutionScope) => Promise<Settlement>,
): Promise<Settlement> {
  const { call } = pass
  const inside = linkedAbort(scope.signal)
  const innerScope = { ...scope, signal: inside }
  const runs = new ToolRuns(call.name, (input) => inner(input, innerScope))
  const context = wrapContext(call, pass, scope)
  const next = layers.reduceRight<NextCall>(
    (inside, layer) => layerCall(layer, call, context, inside),
    (input) => runs.run(input),
  )
  try {
    const { response, outcome } = await silenceGuard(next(), runs, limitOf(call, scope), scope.signal)
    const { last } = runs
    // An ending that passes keeps its error and its question, also when a layer rewrote the text (to redact it, say).
    if (last?.outcome === outcome)
      return defined({ response, outcome, error: last.error, pending: last.pending })
    if (outcome !== 'deferred') return { response, outcome }
    throw new Error('wrap() may only give back the outcome "deferred" when next() gave it')
  } catch (error) {
    const started = pass.startedAt !== undefined
    if (scope.signal.aborted) return cancelled(call.name, started, scope.texts)
    if (!started) return blocked(call.name, 'middleware', error, scope)
    return failure('error', scope.texts.middlewareFailed(call.name, errorToData(error).message), 'middleware')
  } finally {
    await runs.end(() => inside.abort()).finally(() => inside.release())
  }
}

/** The runs of the tool in the middle of one onion. */
class ToolRuns {
  last: Settlement | undefined
  /** For how long only middleware has been at work. */
  silentMs = 0
  readonly #name: string
  readonly #inner: (input?: JsonObject) => Promise<Settlement>
  readonly #open = new Set<Promise<Settlement>>()
  #isOver = false

  constructor(name: string, inner: (input?: JsonObject) => Promise<Settlement>) {
    this.#name = name
    this.#inner = inner
  }

  get isRunning(): boolean {
    return this.#open.size > 0
  }

  async run(input?: JsonObject): Promise<MiddlewareResult> {
    // Middleware may keep next() for later: nothing may run once the call has its result.
    if (this.#isOver) throw new Error(`next() was called after ${this.#name} had ended`)
    const running = this.#inner(input)
    this.#open.add(running)
    this.last = await running.finally(() => this.#open.delete(running))
    this.silentMs = 0
    const { response, outcome, error } = this.last
    return defined({ response, outcome, error })
  }

  /** Lets nothing start any more, and waits for what still runs after telling it to stop. */
  async end(abandon: () => void): Promise<void> {
    this.#isOver = true
    if (this.isRunning) abandon()
    await Promise.all(this.#open)
  }
}

/** What `wrap` is told: the deadline that counts, the agent's included, and the labels of the input that ran last. */
function wrapContext(call: PreparedCall, pass: Pass, scope: ExecutionScope): MiddlewareContext {
  const context = middlewareContext(call.listed, scope)
  return {
    ...context,
    definition: Object.freeze({ ...context.definition, timeoutMs: limitOf(call, scope) }),
    get approved() {
      return pass.call.approval !== undefined
    },
    get labels() {
      return pass.call.labels
    },
  }
}

function limitOf({ listed }: PreparedCall, { timeoutMs }: ExecutionScope): number {
  return listed.definition.timeoutMs ?? timeoutMs
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
  return isRecord(value) && isResponse(value.response) && typeof value.outcome === 'string'
}

/**
 * Ends the wait for middleware that neither answers nor runs the tool: while the tool runs its own deadline
 * counts, and before and after that the same time again is enough for any code round it.
 */
function silenceGuard(
  result: Promise<MiddlewareResult>,
  runs: ToolRuns,
  limitMs: number,
  signal: Stop,
): Promise<MiddlewareResult> {
  const stepMs = Math.min(limitMs / 4, 1_000)
  return new Promise((resolve, reject) => {
    const timer = setInterval(() => {
      runs.silentMs = runs.isRunning ? 0 : runs.silentMs + stepMs
      if (runs.silentMs >= limitMs) reject(new Error(`no answer within ${limitMs} ms`))
    }, stepMs)
    const stop = () => {
      // A tool that runs is aborted by the same signal and then waited for.
      if (!runs.isRunning) reject(signal.reason)
    }
    const release = onAbort(signal, stop)
    result.then(resolve, reject).finally(() => {
      clearInterval(timer)
      release()
    })
  })
}
