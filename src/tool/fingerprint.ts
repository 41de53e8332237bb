import { canonicalJson, type JsonObject } from './json-value.ts'
import type { ToolDefinition } from './tool-definition.ts'

/**
 * SHA-256 (hex) of a definition's canonical JSON, `version` included: changes when anything that a person
 * may have approved changes.
 */
export async function fingerprint(definition: ToolDefinition): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalJson(definition as unknown as JsonObject))
  return Array.from(await sha256(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // Insecure pages have no subtle crypto; only they load the JavaScript one.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto }
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const { sha256: digest } = await import('@noble/hashes/sha2.js')
  return digest(bytes)
}
