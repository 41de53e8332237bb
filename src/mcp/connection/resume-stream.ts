import type { Stop } from '../../tool/abort.ts'
import type { Endpoint, OpenAnswer } from './endpoint.ts'
import { mediaTypeOf } from './media-type.ts'
import type { StreamCursor } from './read-events.ts'
import { backoffMs, wait } from './wait.ts'

export interface BrokenStream {
  readonly endpoint: Endpoint
  /** Of the request whose answer it was. */
  readonly headers: HeadersInit | undefined
  readonly cursor: StreamCursor
  readonly stop: Stop
  /** How often it was looked for in vain. */
  readonly failures: number
}

/**
 * Asks a server for the rest of a stream, after the last event that came (MCP 2025-11-25, basic/transports,
 * resumability). Undefined when the server has none, is not there for long, or nobody waits any more.
 */
export async function resumeStream({
  endpoint,
  headers,
  cursor,
  stop,
  failures,
}: BrokenStream): Promise<OpenAnswer | undefined> {
  const init = { method: 'GET', headers: resumptionHeaders(headers, cursor) }
  for (let tries = failures; tries <= maxTries; tries++) {
    const pauseMs = cursor.retryMs ?? backoffMs(tries, firstRetryMs, maxRetryMs)
    await wait(Math.max(pauseMs, minRetryMs), stop)
    if (stop.aborted) return undefined
    try {
      const answer = await endpoint.open(init, { kind: 'request', stop, diagnosed: false })
      if (answer.response.ok && mediaTypeOf(answer.response) === 'text/event-stream') return answer
      answer.close()
      return undefined
    } catch {
      // The network may come back.
    }
  }
  return undefined
}

function resumptionHeaders(init: HeadersInit | undefined, { lastEventId = '' }: StreamCursor): Headers {
  const headers = new Headers(init)
  headers.delete('content-type')
  headers.set('accept', 'text/event-stream')
  headers.set('last-event-id', lastEventId)
  return headers
}

/** So often a stream is looked for again when that brings nothing new. */
const maxTries = 5
const firstRetryMs = 1_000
const maxRetryMs = 10_000
/** A server that asks for less would be asked without a pause. */
const minRetryMs = 50
