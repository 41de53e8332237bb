/**
 * What a call reports while it runs, and then what it gives, as one stream. Who stops reading stops the call.
 *
 * @param call - Runs it: calls `report` for each report, and follows the signal.
 */
export async function* progressStream<Progress, Result>(
  call: (report: (progress: Progress) => void, signal: AbortSignal) => Promise<Result>,
  outer: AbortSignal | undefined,
): AsyncGenerator<{ readonly progress: Progress } | { readonly result: Result }, void, undefined> {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', stop, { once: true })
  if (outer?.aborted) stop()
  const reports: Progress[] = []
  let wake = () => {}
  const result = call((progress) => {
    reports.push(progress)
    wake()
  }, controller.signal)
  let isOver = false
  const over = () => {
    isOver = true
    wake()
  }
  result.then(over, over)
  try {
    while (!isOver || reports.length > 0) {
      const next = reports.shift()
      if (next !== undefined) yield { progress: next }
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    yield { result: await result }
  } finally {
    outer?.removeEventListener('abort', stop)
    controller.abort(new DOMException('Nobody waits for the call any more', 'AbortError'))
  }
}
