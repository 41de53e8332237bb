import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { jsonSchema } from '../tool/json-schema.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isStandardSchema, type StandardSchema } from '../tool/standard-schema.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolLabels } from '../tool/tool-definition.ts'
import { stampAcceptance, stampOrigin } from '../tool/tool-origin.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { gather } from '../toolset/gather.ts'
import type { ToolSource } from '../toolset/tool-source.ts'

/** What is said of tools that were made for another library. */
export interface ForeignOptions {
  /** What the app calls where they come from: 1 to 64 letters, digits, `_` or `-`. Their origin is `foreign:{name}`. */
  readonly name: string
  /**
   * `none`: nobody knows what they do, or who wrote their words (they may come from an MCP server): a person is asked
   * before each call, they get the strictest labels, and their words and results are not trusted. `app`: they are the
   * app's own code: as if they had been made with `tool()`. @default 'none'
   */
  readonly trust?: 'none' | 'app'
}

/** What holds for a tool of which nobody has said what it does. */
const strictest: ToolLabels = { effect: 'external', egress: true, reads: 'private', externalContent: true }

/** What a tool made for another library is to have, by how far it is trusted. */
export function foreignTraits({
  trust = 'none',
}: ForeignOptions): Partial<ToolLabels> & { needsApproval?: true } {
  return trust === 'app' ? {} : { ...strictest, needsApproval: true }
}

/** @throws {@link ToolRegistrationError} for an option that cannot be. */
export function checkForeignOptions(options: ForeignOptions, where: string): void {
  checkOptions(options, ['name', 'trust'], where)
  const { name, trust = 'none' } = options
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new ToolRegistrationError(
      `${where}, name: give 1 to 64 letters, digits, "_" or "-"; the origin is foreign:{name}.`,
    )
  }
  if (trust !== 'none' && trust !== 'app') {
    throw new ToolRegistrationError(
      `${where}, trust: expected "none" or "app", got ${JSON.stringify(trust)}.`,
    )
  }
}

/** The tools as a source, with their origin. */
export function foreignSource(
  tools: readonly Tool[],
  { name, trust }: ForeignOptions,
  where: string,
): ToolSource {
  for (const tool of tools) {
    stampOrigin(tool, `foreign:${name}`)
    if (trust === 'app') stampAcceptance(tool, () => true)
  }
  return gather(tools, where)
}

/** A schema of another library as ours: Standard Schema, or a JSON Schema. */
export function readForeignSchema(
  schema: unknown,
  where: string,
): StandardSchema<JsonObject, JsonObject> | undefined {
  if (schema === undefined || schema === null) return undefined
  if (isStandardSchema(schema)) return schema as StandardSchema<JsonObject, JsonObject>
  if (isRecord(schema)) return jsonSchema(schema as JsonObject)
  throw new ToolRegistrationError(`${where}, inputSchema: expected a Standard Schema or a JSON Schema.`)
}
