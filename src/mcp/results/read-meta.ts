import type { JsonObject } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { exceeds, type JsonLimits } from '../definitions/json-limits.ts'

const metaLimits: JsonLimits = { maxBytes: 64 * 1024, maxDepth: 32, maxNodes: 4_096 }

/** The `_meta` of a server as it came, or that there was one that is too large to be kept. */
export function readMeta(_meta: unknown): {
  readonly _meta: JsonObject | undefined
  readonly metaLeftOut: true | undefined
} {
  if (!isRecord(_meta)) return { _meta: undefined, metaLeftOut: undefined }
  return exceeds(_meta, metaLimits) === undefined
    ? { _meta: _meta as JsonObject, metaLeftOut: undefined }
    : { _meta: undefined, metaLeftOut: true }
}
