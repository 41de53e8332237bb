import type { Stop } from '../../tool/abort.ts'
import { errorToData } from '../../tool/error-data.ts'
import type { Endpoint } from './endpoint.ts'
import { mediaTypeOf } from './media-type.ts'
import { readEvents, type StreamCursor } from './read-events.ts'
import { backoffMs, wait } from './wait.ts'
import { readMessages, type WireMessage } from './wire-message.ts'

export interface StandingStreamOptions {
  readonly endpoint: Endpoint
  readonly stop: Stop
  /** Read anew for each request. */
  headers(): Promise<Headers>
  take(message: WireMessage): void
  /** It is open again after a gap, in which messages may have been missed. */
  missed(): void
  /** The server was not reached for a while; told once, until it is there again. */
  lost(error: Error): void
  /** The server does not know the session any more. */
  sessionLost(): void
}

/**
 * Listens to what a server says without being asked, until it is stopped. A server need not have such a stream: when
 * it refuses the first request for it, however it puts that, nothing is listened to. A stream that ends or breaks is
 * opened again, with longer and longer pauses.
 */
export async function keepListening(options: StandingStreamOptions): Promise<void> {
  const { stop } = options
  const cursor: StreamCursor = {}
  const state: StreamState = { wasOpen: false, failures: 0 }
  while (!stop.aborted) {
    const begun = performance.now()
    const isOver = await listenOnce(options, cursor, state)
    if (isOver || stop.aborted) return
    // A stream that ends at once is as bad as none.
    if (performance.now() - begun > longEnoughMs) state.failures = 0
    const pauseMs = backoffMs(state.failures, firstRetryMs, maxRetryMs)
    state.failures += 1
    await wait(Math.max(cursor.retryMs ?? 0, pauseMs), stop)
  }
}

interface StreamState {
  wasOpen: boolean
  failures: number
  isLost?: boolean
}

/** Opens the stream and reads it to its end; resolves to whether it need not be opened again. */
async function listenOnce(
  options: StandingStreamOptions,
  cursor: StreamCursor,
  state: StreamState,
): Promise<boolean> {
  const { endpoint, stop, take, missed, lost, sessionLost } = options
  try {
    const resumed = cursor.lastEventId
    const headers = await options.headers()
    headers.set('accept', 'text/event-stream')
    if (resumed !== undefined) headers.set('last-event-id', resumed)
    const answer = await endpoint.open(
      { method: 'GET', headers },
      { kind: 'standing', stop, diagnosed: false },
    )
    try {
      const { response } = answer
      if (!response.ok || mediaTypeOf(response) !== 'text/event-stream') {
        const isGone = state.wasOpen && [400, 404].includes(response.status) && headers.has('mcp-session-id')
        if (isGone) sessionLost()
        return isGone || !mayComeBack(response)
      }
      // With the id of the last event the server sends what was missed.
      if (state.isLost || (state.wasOpen && resumed === undefined)) missed()
      state.wasOpen = true
      state.isLost = false
      await readEvents(response, answer.stop, cursor, (data) => readMessages(data).forEach(take))
    } finally {
      answer.close()
    }
  } catch (error) {
    if (stop.aborted) return true
    if (state.failures < quietFailures || state.isLost) return false
    state.isLost = true
    lost(error instanceof Error ? error : new Error(errorToData(error).message))
  }
  return false
}

/** Whether the server only cannot now: too many requests, its own failure, a token that has run out. */
function mayComeBack({ status }: Response): boolean {
  return status === 401 || status === 429 || (status >= 500 && status !== 501)
}

const firstRetryMs = 1_000
const maxRetryMs = 30_000
const longEnoughMs = 10_000
/** One failure may be a hiccup of the network. */
const quietFailures = 1
