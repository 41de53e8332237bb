import { canonicalJson, type JsonObject } from './json-value.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * SHA-256 (hex) of a definition's canonical JSON, `version` included: changes when anything that a person
 * may have approved changes. An insecure page has no digest; there it is that JSON itself, which tells
 * definitions apart just as well (such a page keeps no pins: it has no storage either).
 */
export async function fingerprint(definition: ToolDefinition): Promise<string> {
  const canonical = canonicalJson(definition as unknown as JsonObject)
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle === undefined) return canonical
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(canonical))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
