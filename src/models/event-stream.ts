import { createParser } from 'eventsource-parser'
import { onAbort } from '../tool/abort.ts'
import { readJson } from './model-server.ts'

/** What takes the text of a body, piece by piece, and gives the data of the events in it. */
interface TextReader {
  read(text: string): readonly string[]
  /** The data of what was left open when the body ended. */
  end(): readonly string[]
}

/** The events of a body, one batch for each piece of the network. No generator: each layer of them costs every delta. */
export interface EventReader {
  /** The data of the next events; undefined at the end. */
  next(): Promise<readonly string[] | undefined>
  /** Lets go of the body, whether or not it is over. */
  close(): void
}

/**
 * Reads server-sent events; a body that is no stream but one JSON object is one event. An error of the server stands
 * in an event as `{"error":…}`. Reading stops when the signal aborts; `broken` makes the error for a body that breaks
 * off.
 */
export function readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  broken: (cause: unknown) => Error,
): EventReader {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  // A `fetch` of the app may not know the signal.
  const release = onAbort(signal, cancel)
  const decoder = new TextDecoder()
  let texts: TextReader | undefined
  let isOver = false
  return {
    next: async () => {
      if (isOver) return undefined
      let piece: Awaited<ReturnType<typeof reader.read>>
      try {
        piece = await reader.read()
      } catch (cause) {
        signal.throwIfAborted()
        throw broken(cause)
      }
      const { done, value } = piece
      signal.throwIfAborted()
      isOver = done
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      if (texts === undefined && text.trim() !== '')
        texts = text.trimStart()[0] === '{' ? wholeText() : events()
      const found = texts?.read(text) ?? []
      return done ? [...found, ...(texts?.end() ?? [])] : found
    },
    close: () => {
      release()
      cancel()
    },
  }
}

function wholeText(): TextReader {
  const pieces: string[] = []
  return {
    read: (text) => {
      pieces.push(text)
      return []
    },
    end: () => [pieces.join('')],
  }
}

function events(): TextReader {
  let found: string[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => found.push(event === 'error' ? errorData(data) : data),
    // Older llama.cpp servers write errors into a field of their own: `error: {…}`.
    onError: ({ field, value = '' }) => field === 'error' && found.push(errorData(value)),
  })
  const read = (text: string) => {
    found = []
    parser.feed(text)
    return found
  }
  // Some servers leave out the empty line behind the last event.
  return { read, end: () => read('\n\n') }
}

function errorData(text: string): string {
  return `{"error":${readJson(text) === undefined ? JSON.stringify(text) : text}}`
}
