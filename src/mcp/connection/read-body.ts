import { onAbort, type Stop } from '../../tool/abort.ts'

/**
 * Reads a body as text, piece by piece, until it ends.
 *
 * @throws what the body breaks with; also when the signal aborts.
 */
export async function readBody(response: Response, stop: Stop, take: (text: string) => void): Promise<void> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const decoder = new TextDecoder()
  // A `fetch` of the app may not know the signal.
  const cancel = () => void reader.cancel().catch(() => {})
  const forget = onAbort(stop, cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (stop.aborted) throw new DOMException('Reading was stopped', 'AbortError')
      if (done) return take(decoder.decode())
      take(decoder.decode(value, { stream: true }))
    }
  } catch (error) {
    cancel()
    throw error
  } finally {
    forget()
  }
}

/** The whole text of a body. What is longer than so many characters is an error, or is cut. */
export async function readText(
  response: Response,
  stop: Stop,
  maxChars: number,
  whatIsMore: 'cut' | 'error' = 'error',
): Promise<string> {
  let text = ''
  try {
    await readBody(response, stop, (piece) => {
      text += piece
      if (text.length > maxChars) throw new TooLong(maxChars)
    })
  } catch (error) {
    if (!(error instanceof TooLong) || whatIsMore === 'error') throw error
  }
  return text.slice(0, maxChars)
}

/** A body or an event that is longer than anything sensible. */
export class TooLong extends Error {
  constructor(maxChars: number) {
    super(`It is longer than ${maxChars} characters`)
  }
}
