import { LinkedAbort, stopped, untilAborted } from '../../tool/abort.ts'
import type { RequestWay } from './exchange.ts'
import { McpError } from './mcp-connection.ts'
import { safely } from './safely.ts'

export interface Deadline {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
}

/**
 * Runs something that a signal or a timeout may stop.
 *
 * @param doing - What is waited for, for the message: `"tools/call" at https://…`.
 * @throws McpError with the code `timeout`; the reason of the signal when it aborts; otherwise what `run` throws.
 */
export async function withDeadline<T>(
  doing: string,
  { signal, timeoutMs }: Deadline,
  run: (stop: LinkedAbort) => Promise<T>,
): Promise<T> {
  const stop = new LinkedAbort(signal)
  stop.startDeadline(timeoutMs, 'The timeout')
  const failed = (cause: unknown) => {
    if (!stop.deadlinePassed()) return signal?.aborted ? signal.reason : cause
    return new McpError(`${doing} was not answered within ${timeoutMs} ms.`, { code: 'timeout', cause })
  }
  try {
    const value = stop.aborted ? stopped : await untilAborted(run(stop), stop)
    if (value === stopped) throw failed(undefined)
    return value
  } catch (error) {
    throw error instanceof McpError && error.code === 'timeout' ? error : failed(error)
  } finally {
    stop.release()
  }
}

/** Has the time of a request count only from when it goes out: while it waits for a connection the clock stands. */
export function countedFromStart(stop: LinkedAbort, timeoutMs: number, onStart: () => void): RequestWay {
  let counts = false
  return {
    waits: () => {
      counts = false
      stop.startDeadline(Number.POSITIVE_INFINITY, 'The timeout')
    },
    sent: () => {
      if (!counts) stop.startDeadline(timeoutMs, 'The timeout')
      counts = true
      safely(onStart)
    },
  }
}
