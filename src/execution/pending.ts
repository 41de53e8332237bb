import { defined } from '../tool/defined.ts'
import { digest } from '../tool/fingerprint.ts'
import { deepFreeze, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import type { PendingCall, PendingKind } from '../tool/pending-call.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import type { Settlement } from '../tool/tool-result.ts'
import { replacedSince } from '../toolset/listed-tool.ts'
import type { ExecutionScope } from './execution-scope.ts'
import { boundTo } from './policy.ts'
import type { PreparedCall } from './prepare-call.ts'

/** What is told of a call to whoever is asked about it, now or later. */
type Question = Omit<PendingCall, 'kind' | 'metadata' | 'concurrencyKey' | 'digest'>

/** What is asked about a call. */
export function questionAbout(call: PreparedCall): Question {
  const { description, userFields } = call.listed.definition
  const { decision } = call
  return defined({
    callId: call.id,
    toolName: call.name,
    origin: call.origin,
    description,
    input: call.input,
    reasons: decision.kind === 'allow' ? [] : decision.reasons,
    policy: decision.kind === 'allow' ? undefined : decision.policy,
    change: decision.kind === 'allow' ? undefined : decision.change,
    boundTo: boundTo(decision),
    inputSchema: wholeSchema(call),
    userFields: decision.kind === 'fields' ? userFields : undefined,
  })
}

/** A question that is left open, as plain JSON. */
export async function pendingCall(
  call: PreparedCall,
  kind: PendingKind,
  metadata?: JsonObject,
): Promise<PendingCall> {
  const { concurrencyKey } = call
  const about = defined({ kind, metadata, concurrencyKey, digest: await questionDigest(call) })
  return deepFreeze({ ...questionAbout(call), ...about })
}

/** The same for the same call of the same tool with the same input; an answer holds for nothing else. */
export function questionDigest({
  id,
  name,
  origin,
  listed,
  gateInput,
  input,
  decision,
}: PreparedCall): Promise<string> {
  // A tool that was registered again is another one, whatever its definition says.
  const since = replacedSince(listed) ?? null
  // So is one that has changed since it was trusted, or would run something else than what was shown.
  const change = decision.kind === 'allow' ? undefined : (decision.change as JsonValue | undefined)
  const bound = boundTo(decision)
  const about = [id, name, origin, listed.fingerprint, since, gateInput, input]
  if (change === undefined && bound === undefined) return digest(about)
  return digest([...about, change ?? null, bound ?? null])
}

/** Of a call that waits: for an answer, or without a question for another call. */
export function deferral(name: string, scope: ExecutionScope, pending?: PendingCall): Settlement {
  const response = ToolResponse.partial(scope.texts.waiting(name))
  return defined({ outcome: 'deferred' as const, response, pending })
}

/** The schema of the whole input: the model's part and the person's. */
function wholeSchema({ listed }: PreparedCall): JsonObject {
  const { inputSchema, userFields } = listed.definition
  if (userFields === undefined) return inputSchema
  const required = [inputSchema, userFields].flatMap((schema) =>
    Array.isArray(schema.required) ? (schema.required as readonly string[]) : [],
  )
  const properties = { ...Object(inputSchema.properties), ...Object(userFields.properties) }
  return { ...inputSchema, properties, ...(required.length > 0 ? { required } : {}) }
}
