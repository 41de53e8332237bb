import { onAbort } from '../tool/abort.ts'
import { ModelError } from './model-error.ts'

const firstDelayMs = 500
/** A server that asks for more is given up: nobody waits that long for an answer. */
const longestDelayMs = 60_000

/**
 * The items of an attempt, in the batches in which they come. One that fails before its first item is made again, at
 * most `maxRetries` times, if its error says that it may pass; an abort ends the wait at once.
 */
export async function* withRetries<Item>(
  attempt: () => AsyncIterable<Iterable<Item>>,
  maxRetries: number,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  let hasBegun = false
  for (let retry = 0; ; retry += 1) {
    try {
      for await (const batch of attempt()) {
        for (const item of batch) {
          hasBegun = true
          yield item
        }
      }
      return
    } catch (error) {
      const delayMs = hasBegun || retry >= maxRetries ? undefined : delayAfter(error, retry)
      if (delayMs === undefined || signal.aborted) throw error
      await pause(delayMs, signal)
    }
  }
}

function delayAfter(error: unknown, retry: number): number | undefined {
  if (!(error instanceof ModelError && error.retryable)) return undefined
  // Clients that failed at the same moment must not come back at the same moment.
  const usual = firstDelayMs * 2 ** retry * (1 - Math.random() / 4)
  const delayMs = error.retryAfterMs ?? Math.min(usual, longestDelayMs)
  return delayMs <= longestDelayMs ? delayMs : undefined
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      release()
      resolve()
    }, ms)
    const release = onAbort(signal, () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
