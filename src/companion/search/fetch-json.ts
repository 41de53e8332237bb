/** More of an answer is not read. */
const maxBytes = 2_000_000

/**
 * Asks a provider for JSON. Nothing of an answer that is an error is repeated: some providers write the key into it.
 *
 * @throws Error that says what became of it, without the address: a key may stand in that.
 */
export async function fetchJson(url: string, init: RequestInit): Promise<Readonly<Record<string, unknown>>> {
  // A key is for this address, and for none that it leads to.
  const answer = await fetch(url, { ...init, redirect: 'error' }).catch((cause: unknown) => {
    throw new Error(reasonOf(cause, init.signal ?? undefined))
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(statusReason(answer.status))
  }
  const body: unknown = await readJson(answer)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Error('its answer is no JSON object')
  return body as Readonly<Record<string, unknown>>
}

async function readJson(answer: Response): Promise<unknown> {
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = answer.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done || value === undefined) break
    size += value.length
    if (size > maxBytes) {
      await reader?.cancel()
      throw new Error(`its answer is larger than ${maxBytes} bytes`)
    }
    pieces.push(value)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    throw new Error('its answer is not JSON')
  }
}

function statusReason(status: number): string {
  const known: Readonly<Record<number, string>> = {
    401: 'it does not accept the key',
    403: 'it does not accept the key, or not for this',
    402: 'the plan of the key is used up',
    429: 'too many searches, or the plan of the key is used up',
    // Tavily: the limits of a key and of a plan.
    432: 'the plan of the key is used up',
    433: 'the limit of the key is used up',
  }
  return `it answered ${status}${known[status] === undefined ? '' : ` (${known[status]})`}`
}

function reasonOf(cause: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'it did not answer in time'
  const { code } = Object((cause as { cause?: unknown }).cause) as { code?: unknown }
  return `it could not be reached${typeof code === 'string' ? ` (${code})` : ''}`
}
