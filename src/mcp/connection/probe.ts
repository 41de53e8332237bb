import { linkedAbort, type Stop } from '../../tool/abort.ts'

/**
 * Asks an address without a body, cookies or headers of the app, only to see what becomes of that; undefined when no
 * answer may be seen. Nothing of the answer is read.
 */
export async function probe(
  send: typeof fetch,
  url: URL,
  init: RequestInit,
  stop: Stop,
): Promise<Response | undefined> {
  const link = linkedAbort(stop instanceof AbortSignal ? stop : stop.signal)
  link.startDeadline(probeMs, 'The deadline')
  try {
    const fixed = { credentials: 'omit', cache: 'no-store', redirect: 'follow', signal: link.signal } as const
    return await send(url, { ...init, ...fixed })
  } catch {
    return undefined
  } finally {
    // The body is of no use, and may be a stream without an end.
    link.abort()
    link.release()
  }
}

/** What answers later than this counts as silent. In milliseconds. */
const probeMs = 3_000
