import { linkedAbort, type Stop } from '../../tool/abort.ts'

/**
 * Asks an address without a body, cookies or headers of the app, only to see what becomes of that; undefined when no
 * answer may be seen. Nothing of the answer is read. A `fetch` of the app is not used for it: that may add secrets, and
 * who knows where the request is led to.
 */
export async function probe(url: URL, init: RequestInit, stop: Stop): Promise<Response | undefined> {
  const link = linkedAbort(stop instanceof AbortSignal ? stop : stop.signal)
  link.startDeadline(probeMs, 'The deadline')
  try {
    const bare = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' } as const
    return await fetch(url, { ...init, ...bare, redirect: 'follow', signal: link.signal })
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
