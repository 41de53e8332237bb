import type { ServerResponse } from 'node:http'

/** Sends a web response over Node's, as it comes; what nobody reads any more is cancelled. */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  // Beside the headers that the gate has set.
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  // A stream may have nothing to say for a long time, and the client waits for its headers.
  response.flushHeaders()
  const reader = answer.body?.getReader()
  if (reader === undefined) {
    response.end()
    return
  }
  const cancel = () => void reader.cancel().catch(() => {})
  response.on('close', cancel)
  if (response.destroyed) cancel()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    if (!response.write(value)) await drained(response)
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve)
    response.once('close', resolve)
  })
}
