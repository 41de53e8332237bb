import { LinkedAbort, onAbort, type Stop } from '../../tool/abort.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { answerElicitation } from './elicitation.ts'
import type { McpConnectionEvents } from './mcp-connection.ts'

/** A request of the server. */
export interface ServerQuestion {
  readonly method: string
  readonly params: JsonObject
  /** Aborts when the server takes it back. */
  readonly signal: AbortSignal
  /** Of the request that it belongs to: without that, the question is over. */
  readonly follow: Stop | undefined
}

/**
 * Answers what a server asks. Sampling and roots are not offered: the first would spend the app's model for a
 * stranger, and a page has no folders to show.
 *
 * @throws an Error with the `code` of JSON-RPC.
 */
export async function answerQuestion(
  { method, params, signal, follow }: ServerQuestion,
  elicit: McpConnectionEvents['elicit'],
): Promise<Record<string, unknown>> {
  if (method !== 'elicitation/create' || elicit === undefined) throw methodNotFound(method)
  // A person answers one after the other; a server that asks on must not bury the questions of others.
  const open = openQuestions.get(elicit) ?? 0
  if (open >= maxOpen) return { action: 'cancel' }
  openQuestions.set(elicit, open + 1)
  const stop = new LinkedAbort(signal)
  const forget =
    follow && onAbort(follow, () => stop.abort(new DOMException('The request was cancelled', 'AbortError')))
  try {
    return { ...(await answerElicitation(params, elicit, stop.signal)) }
  } finally {
    openQuestions.set(elicit, (openQuestions.get(elicit) ?? 1) - 1)
    forget?.()
    stop.release()
  }
}

/** Of one session: as many as calls can wait for at the same time. */
const maxOpen = 5

/** How many questions are open, by whom they are put to. */
const openQuestions = new WeakMap<object, number>()

/** JSON-RPC 2.0 §5.1. */
function methodNotFound(method: string): Error {
  return Object.assign(new Error(`Method not found: ${method}`), { code: -32_601 })
}
