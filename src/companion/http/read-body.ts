import type { IncomingMessage } from 'node:http'
import type { Refusal } from './answer.ts'

/**
 * Reads the JSON of a POST, and no more of it than is allowed. Only `application/json` is read: a page can send other
 * types without asking first (https://fetch.spec.whatwg.org/#simple-header).
 */
export async function readJson(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly value: unknown } | Refusal> {
  const type = request.headers['content-type'] ?? ''
  if (!/^application\/json(?:$|[ ;])/i.test(type)) {
    return {
      status: 415,
      code: 'not-json',
      message: 'Send JSON, with the header Content-Type: application/json.',
    }
  }
  const tooLarge: Refusal = {
    status: 413,
    code: 'body-too-large',
    message: `The request is too large: at most ${maxBytes} bytes are read.`,
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge
  const pieces: Buffer[] = []
  let size = 0
  // A request that was destroyed could not be answered any more.
  for await (const piece of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) return tooLarge
    pieces.push(piece)
  }
  try {
    return { value: JSON.parse(Buffer.concat(pieces).toString('utf8')) }
  } catch {
    return { status: 400, code: 'not-json', message: 'The request is not JSON.' }
  }
}
