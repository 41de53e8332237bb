import { onAbort } from '../tool/abort.ts'
import { checkCount, checkMilliseconds, checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { withResolvers } from '../tool/resolvers.ts'
import type { ToolCall } from '../tool/tool-result.ts'
import type { MiddlewareResult, ToolMiddleware } from '../toolset/tool-middleware.ts'
import { checkForTools, type ForTools, isFor } from './for-tools.ts'

/** What {@link retryMiddleware} takes. */
export interface RetryOptions {
  /** How often a call is tried at most, the first time included. @default 3 */
  readonly attempts?: number
  /** The longest wait before the second try, in milliseconds; it doubles with each further one. @default 200 */
  readonly baseDelayMs?: number
  /** No wait is longer, in milliseconds. @default 5000 */
  readonly maxDelayMs?: number
  /**
   * Whether a call that ended with `error` or `timeout` may succeed when it is made again. @default a deadline that
   * passed, an error that says that it is retryable, and any error that the tool threw without being asked to
   */
  retryIf?(failure: MiddlewareResult, call: ToolCall): boolean | Promise<boolean>
  /** @default all tools */
  readonly tools?: ForTools
}

/** Codes of failures that the same call would meet again. */
const lastingCodes: readonly string[] = [
  ...['model-retry', 'tool-failed', 'invalid-input', 'invalid-output', 'not-allowed', 'denied', 'middleware'],
  ...['limit', 'uncloneable', 'closed', 'worker-load', 'cancelled'],
]

/**
 * Middleware that makes a call again when it failed and may succeed: only calls whose effect is `none`, with a random
 * wait of up to the doubled time before (exponential backoff with full jitter, as in the AWS Architecture Blog of
 * 2015). The model and the retry limits of the run see the last try only. An abort ends the wait.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 * @example new Agent({ model, tools, middleware: [retryMiddleware({ tools: ['search'] })] })
 */
export function retryMiddleware(options: RetryOptions = {}): ToolMiddleware {
  checkRetryOptions(options)
  const { attempts = 3, baseDelayMs = 200, maxDelayMs = 5_000, retryIf = mayPass, tools } = options
  return {
    name: 'retry',
    wrap: async (call, context, next) => {
      const { definition, signal } = context
      let result: MiddlewareResult = await next()
      if (tools !== undefined && !isFor(tools, definition)) return result
      // Code that waits for longer than the deadline counts as hanging.
      const longestMs = Math.min(maxDelayMs, (definition.timeoutMs ?? Number.POSITIVE_INFINITY) / 2)
      for (let made = 1; made < attempts; made += 1) {
        // Asked each time: the labels are those of the input that ran last.
        if (context.labels?.effect !== 'none' || !isFailure(result)) return result
        if (!(await retryIf(result, call))) return result
        await pause(Math.random() * Math.min(longestMs, baseDelayMs * 2 ** (made - 1)), signal)
        if (signal.aborted) return result
        result = await next()
      }
      return result
    },
  }
}

function isFailure({ outcome }: MiddlewareResult): boolean {
  return outcome === 'error' || outcome === 'timeout'
}

// A response that says `error` carries no error: the tool has decided.
function mayPass({ outcome, error }: MiddlewareResult): boolean {
  if (outcome === 'timeout' || error?.retryable) return true
  return error !== undefined && !lastingCodes.includes(error.code)
}

/** Waits, but not longer than until the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const release = onAbort(signal, resolve)
  await promise
  clearTimeout(timer)
  release()
}

function checkRetryOptions(options: RetryOptions): void {
  const where = 'retryMiddleware()'
  checkOptions(options, ['attempts', 'baseDelayMs', 'maxDelayMs', 'retryIf', 'tools'], where)
  checkCount(options.attempts, 1, `${where}, attempts`)
  checkMilliseconds(options.baseDelayMs, 'baseDelayMs', where)
  checkMilliseconds(options.maxDelayMs, 'maxDelayMs', where)
  if (options.tools !== undefined) checkForTools(options.tools, where)
  if (options.retryIf === undefined || typeof options.retryIf === 'function') return
  throw new ToolRegistrationError(`${where}, retryIf: expected a function of the failure.`)
}
