import { isForbiddenKey, type JsonObject, type JsonValue } from '../../tool/json-value.ts'
import { throwLater } from '../../tool/throw-later.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { ElicitationAnswer, ElicitationRequest, McpConnectionEvents } from './mcp-connection.ts'

type Elicit = NonNullable<McpConnectionEvents['elicit']>

/** What a client that can ask a person tells the server (revision 2025-11-25, client/elicitation). */
export const elicitationCapability: JsonObject = { form: { applyDefaults: true }, url: {} }

/**
 * Hands a question of the server to the app and makes the answer that goes back. An app that fails has cancelled.
 *
 * @throws an Error with the `code` of JSON-RPC for a question that is not one.
 */
export async function answerElicitation(
  params: JsonObject,
  elicit: Elicit,
  signal: AbortSignal,
): Promise<ElicitationAnswer> {
  const request = readRequest(params, signal)
  try {
    const { action, content } = await elicit(request)
    const { requestedSchema } = request
    if (action !== 'accept' || requestedSchema === undefined) return { action }
    return { action, content: content ?? defaultsOf(requestedSchema) }
  } catch (error) {
    if (!signal.aborted) throwLater(error)
    return { action: 'cancel' }
  }
}

function readRequest(params: JsonObject, signal: AbortSignal): ElicitationRequest {
  const { mode = 'form', message, requestedSchema, url, elicitationId } = params
  const asked = { message: typeof message === 'string' ? message : '', signal }
  if (mode === 'form') {
    if (!isRecord(requestedSchema)) throw invalid('requestedSchema must be an object')
    return { ...asked, requestedSchema: requestedSchema as JsonObject }
  }
  if (mode !== 'url') throw invalid(`mode ${JSON.stringify(mode)} is not known: use "form" or "url"`)
  if (typeof url !== 'string' || !URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw invalid('url must be an https address')
  }
  return { ...asked, url, ...(typeof elicitationId === 'string' ? { elicitationId } : {}) }
}

/** JSON-RPC 2.0 §5.1: invalid params. */
function invalid(message: string): Error {
  return Object.assign(new Error(message), { code: -32_602 })
}

/** SEP-1034: what a yes without content says. What a person has cleared in a form stays out. */
function defaultsOf({ properties }: JsonObject): JsonObject {
  const defaults: Record<string, JsonValue> = {}
  for (const [key, schema] of Object.entries(isRecord(properties) ? properties : {})) {
    if (isForbiddenKey(key) || !isRecord(schema)) continue
    if (schema.default !== undefined) defaults[key] = schema.default as JsonValue
  }
  return defaults
}
