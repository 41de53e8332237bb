import { ToolRegistrationError } from '../../tool/errors.ts'
import { jsonSchema } from '../../tool/json-schema.ts'
import type { JsonObject, JsonValue } from '../../tool/json-value.ts'
import { readInputSchema } from '../../tool/schema.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { cleanSchema, type SchemaCleaning } from './clean-schema.ts'
import { oneLine } from './clean-text.ts'
import { exceeds } from './json-limits.ts'
import { isEndless } from './schema-cost.ts'
import { SchemaRefusal } from './schema-refusal.ts'

/** More than any tool needs, and little enough to check each input against. */
const limits = { maxBytes: 128 * 1024, maxDepth: 32, maxNodes: 4096 }

const maxFaultChars = 500

/**
 * Reads a schema of a server's tool into one that `jsonSchema()` takes: bounded, clean, in the form of
 * 2020-12 (draft-07 is accepted), with an object at its root.
 *
 * @returns It, frozen, or why it cannot be used, to stand behind "the input schema".
 */
export function readToolSchema(raw: JsonValue, field: string, cleaning: SchemaCleaning): JsonObject | string {
  const { texts } = cleaning
  if (!isRecord(raw)) return texts.noSchema
  const excess = exceeds(raw, limits)
  if (excess !== undefined) return texts.excess(excess)
  try {
    const schema = cleanSchema(withObjectRoot(raw as JsonObject), field, cleaning)
    // As the tool that is made from it will read it.
    const usable = readInputSchema(jsonSchema(schema), field).jsonSchema
    return isEndless(usable) ? texts.endlessSchema : usable
  } catch (error) {
    if (error instanceof SchemaRefusal) return error.message
    // It says the place and ends its sentence; so does who tells this.
    if (error instanceof ToolRegistrationError)
      return texts.unusableSchema(oneLine(faultOf(error.message, field), maxFaultChars))
    throw error
  }
}

function faultOf(message: string, field: string): string {
  return message.replace(`${field}, inputSchema: `, '').replace(/\.$/, '')
}

// The input of a call is an object whether the root says it or not (MCP: CallToolRequest.params.arguments).
function withObjectRoot(root: JsonObject): JsonObject {
  const { type } = root
  const isOne = type === undefined || (Array.isArray(type) && type.includes('object'))
  return isOne && root.$ref === undefined ? { ...root, type: 'object' } : root
}
