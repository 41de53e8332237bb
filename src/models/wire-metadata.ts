import type { ProviderMetadata } from '../agent/message.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'

/** The name under which this adapter keeps what a server wants back. */
const key = 'offstage'

/** Says in which field of a message its reasoning came, so that it goes back where it came from. */
export function reasoningMetadata(model: string, field: string): ProviderMetadata {
  return { [key]: { model, field } }
}

/** Keeps the fields of a call that are not part of the protocol. */
export function callMetadata(model: string, call: JsonObject): ProviderMetadata {
  return { [key]: { model, call } }
}

/** The field of this part's reasoning; undefined when the model does not want it back. */
export function reasoningField(metadata: ProviderMetadata | undefined, model: string): string | undefined {
  const field = own(metadata, model)?.field
  return typeof field === 'string' ? field : undefined
}

/** The fields that a call came with. */
export function callFields(metadata: ProviderMetadata | undefined, model: string): object {
  const call = own(metadata, model)?.call
  return isRecord(call) ? call : {}
}

// What one model made says nothing to another, and some refuse it.
function own(metadata: ProviderMetadata | undefined, model: string): Record<string, unknown> | undefined {
  const kept = metadata?.[key]
  return isRecord(kept) && kept.model === model ? kept : undefined
}
