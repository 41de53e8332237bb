import { createParser } from 'eventsource-parser'
import type { Stop } from '../../tool/abort.ts'
import { readBody, TooLong } from './read-body.ts'

/** Where a stream of events can be taken up again. */
export interface StreamCursor {
  /** Of the last event that had an id. */
  lastEventId?: string
  /** What the server asks to be waited before the next try, in milliseconds. */
  retryMs?: number
}

/**
 * Reads the events of a body until it ends; `take` gets the data of those that carry a message. The cursor is kept up
 * to date.
 *
 * @throws what the body breaks with; also when the signal aborts, and TooLong.
 */
export async function readEvents(
  response: Response,
  stop: Stop,
  cursor: StreamCursor,
  take: (data: string) => void,
): Promise<void> {
  const parser = createParser({
    maxBufferSize: maxMessageChars,
    onEvent: ({ id, event = 'message', data }) => {
      if (id) cursor.lastEventId = id
      // Other kinds are keep-alives; one without data is there for its id.
      if (event === 'message' && data !== '') take(data)
    },
    onRetry: (ms) => {
      // A timer takes no more than 2^31 ms, and fires at once for what is beyond.
      cursor.retryMs = Math.min(ms, maxRetryMs)
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new TooLong(maxMessageChars)
    },
  })
  await readBody(response, stop, (text) => parser.feed(text))
}

/** A server that wants to be left alone for longer is asked again all the same. In milliseconds. */
const maxRetryMs = 60_000

/** No message of a server is longer. In characters. */
export const maxMessageChars = 32_000_000
