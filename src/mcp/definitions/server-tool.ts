import type { JsonObject } from '../../tool/json-value.ts'
import type { ToolFlag } from './tool-flag.ts'

/**
 * What a fingerprint is of, as the server sent it: `name`, `title`, `description`, `inputSchema`,
 * `outputSchema` and `annotations`, those that are there. For a person to compare; never for a model.
 */
export type RawDefinition = JsonObject

/** What a server says of its tool's behaviour. Hints only: nobody checks them. */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool of a server, read and checked: safe to show, and to make a tool from. Frozen. */
export interface ServerTool {
  /** Under which the server knows it. */
  readonly originalName: string
  /** For the model: `{namespace}_{original}`, 1 to 64 letters, digits, `_` or `-`; unique in its list. */
  readonly name: string
  /** For a person, on one line. */
  readonly title?: string
  /** For the model: nothing hidden in it, not too long, never empty. */
  readonly description: string
  /** For the model and for `jsonSchema()`: checked, bounded, with an object at its root and clean texts. */
  readonly inputSchema: JsonObject
  /** As `inputSchema`. Absent when the server sent none, or one that cannot be used. */
  readonly outputSchema?: JsonObject
  readonly annotations: ToolAnnotations
  /** What a person should know before trusting the tool. Empty for most. */
  readonly flags: readonly ToolFlag[]
  /**
   * SHA-256 (hex) of the canonical JSON of `raw`; on an insecure page that JSON itself. A tool that is made
   * from this must carry it as its `version`: a grant is bound to the fingerprint of the definition,
   * `version` included, so that no yes outlives any change at the server, also not one that the cleaned texts
   * do not show.
   */
  readonly fingerprint: string
  readonly raw: RawDefinition
}

/** Why tools of a server are not offered. */
export interface SetAside {
  /** As the server calls them, shortened for showing; empty when it has no name. */
  readonly names: readonly string[]
  /**
   * - `unreadable`: not a tool at all, or one without a usable name
   * - `duplicate`: the server has several tools of this name
   * - `too-large`: its definition is larger than any tool needs, or all of the server's are together
   * - `input-schema`: its input schema cannot be checked
   * - `too-many`: the server has more tools than are read
   */
  readonly kind: 'unreadable' | 'duplicate' | 'too-large' | 'input-schema' | 'too-many'
  /** For a person: what is wrong, and what helps. */
  readonly reason: string
}
