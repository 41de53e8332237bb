import { canonicalJson, type JsonValue } from './json-value.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** Of a definition, `version` included: changes when anything that a person may have approved changes. */
export function fingerprint(definition: ToolDefinition): Promise<string> {
  // Made of JSON values only; the type says it in other words.
  return digest(definition as unknown as JsonValue)
}

/**
 * SHA-256 (hex) of a value's canonical JSON: equal for equal values, whatever the order of their keys. An insecure
 * page has no digest; there it is that JSON itself, which tells values apart just as well (such a page keeps
 * nothing: it has no storage either).
 */
export async function digest(value: JsonValue): Promise<string> {
  const canonical = canonicalJson(value)
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) return canonical
  const bytes = await subtle.digest('SHA-256', new TextEncoder().encode(canonical))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
