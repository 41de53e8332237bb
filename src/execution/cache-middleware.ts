import { maxTimerMs, stopped, untilAborted } from '../tool/abort.ts'
import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { canonicalJson } from '../tool/json-value.ts'
import { within } from '../tool/time-limit.ts'
import type { ToolCall } from '../tool/tool-result.ts'
import { type KeyedCache, keyedCache } from '../toolset/keyed-cache.ts'
import type { MiddlewareContext, MiddlewareResult, ToolMiddleware } from '../toolset/tool-middleware.ts'
import { checkForTools, type ForTools, isFor } from './for-tools.ts'

/** What {@link cacheMiddleware} takes. */
export interface CacheOptions<Deps = unknown> {
  /** The tools whose results are kept. */
  readonly tools: ForTools
  /** For how long, in milliseconds. */
  readonly ttlMs: number
  /** With more, the result that was used least recently is forgotten. @default 100 */
  readonly maxEntries?: number
  /**
   * What the result depends on beside the tool and its input, for example the user in `context.deps`. With undefined
   * the call is not cached. @default nothing: whoever asks the same gets the same
   */
  key?(call: ToolCall, context: MiddlewareContext & { readonly deps: Deps }): string | number | undefined
}

/**
 * Middleware that answers a call with the result of an equal one: the same tool (by origin, name and fingerprint) with
 * the same input. Only for the tools that it is told, only for calls whose effect is `none`, and only successes are
 * kept. Equal calls at the same time share one execution. `data` of a kept response is the same object each time.
 * Tools of one definition are one tool here, whatever their code closes over: where each user gets tools of their own,
 * give `key`.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 * @example
 * cacheMiddleware<Session>({ tools: ['get_weather'], ttlMs: 600_000, key: (_call, { deps }) => deps.userId })
 */
export function cacheMiddleware<Deps = unknown>(options: CacheOptions<Deps>): ToolMiddleware {
  checkCacheOptions(options)
  const { tools, ttlMs, maxEntries = 100, key } = options as CacheOptions
  const cache = keyedCache<MiddlewareResult>(ttlMs, maxEntries)
  return {
    name: 'cache',
    wrap: async (call, context, next) => {
      const { definition, origin, fingerprint, labels } = context
      if (labels?.effect !== 'none' || !isFor(tools, definition)) return next()
      const part = key === undefined ? null : key(call, context)
      if (part === undefined) return next()
      const whole = canonicalJson([origin, definition.name, fingerprint, call.input, part])
      return answer(cache, whole, context, next)
    },
  }
}

async function answer(
  cache: KeyedCache<MiddlewareResult>,
  key: string,
  context: MiddlewareContext,
  next: () => Promise<MiddlewareResult>,
): Promise<MiddlewareResult> {
  while (true) {
    const own: { run?: Promise<MiddlewareResult> } = {}
    const kept = cache.get(key, () => {
      own.run = next()
      return toKeep(own.run, context)
    })
    try {
      const result = await untilAborted(own.run === undefined ? patient(kept, context) : kept, context.signal)
      if (result === late) return next()
      if (result !== stopped) return result
    } catch (error) {
      if (own.run === undefined && !isCancelled(error)) return next()
    }
    if (own.run !== undefined) return own.run
    context.signal.throwIfAborted()
    // Who ran it gave up, which is no reason for anybody else to.
  }
}

/** The result if it may be kept; else it rejects with it. */
async function toKeep(run: Promise<MiddlewareResult>, context: MiddlewareContext): Promise<MiddlewareResult> {
  const result = await run
  // Middleware further in may have changed the input.
  const mayKeep = result.outcome === 'success' && context.labels?.effect === 'none'
  // A tool that itself asked for the yes must be able to ask for the next one.
  const asked = context.approved && context.definition.needsApproval === false
  if (mayKeep && !asked) return result
  throw result
}

function isCancelled(thrown: unknown): boolean {
  return (thrown as Partial<MiddlewareResult> | undefined)?.outcome === 'cancelled'
}

function checkCacheOptions(options: CacheOptions<never>): void {
  const where = 'cacheMiddleware()'
  checkOptions(options, ['tools', 'ttlMs', 'maxEntries', 'key'], where)
  checkForTools(options.tools, where)
  if (options.ttlMs === undefined) {
    throw new ToolRegistrationError(`${where}: say with ttlMs how many milliseconds results are kept.`)
  }
  checkMilliseconds(options.ttlMs, 'ttlMs', where)
  checkCount(options.maxEntries, 1, `${where}, maxEntries`)
  if (options.key === undefined || typeof options.key === 'function') return
  throw new ToolRegistrationError(
    `${where}, key: expected a function, (call, context) => context.deps.userId.`,
  )
}

const late = Symbol('late')

// Code that waits for as long as its deadline counts as hanging, also when it waits for another call's run.
function patient(
  kept: Promise<MiddlewareResult>,
  { definition }: MiddlewareContext,
): Promise<MiddlewareResult | typeof late> {
  const { timeoutMs = Number.POSITIVE_INFINITY } = definition
  return timeoutMs > maxTimerMs ? kept : within<MiddlewareResult | typeof late>(kept, timeoutMs / 2, late)
}
