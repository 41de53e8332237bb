import { ToolRegistrationError } from './errors.ts'
import { jsonSchema } from './json-schema.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'

/** One parameter of a tool, written by hand. */
export interface ToolParameter {
  readonly name: string
  /** A JSON Schema type. Ignored when `schema` is given. @default 'string' */
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  readonly description?: string
  /** @default true, unless there is a default */
  readonly required?: boolean
  /** Filled in when the model leaves the parameter out. */
  readonly default?: JsonValue
  /** The parameter's JSON Schema, used as it is (the description and default are added when it has none). */
  readonly schema?: JsonObject
}

/**
 * Makes a schema from a hand-written list of parameters. Unknown keys in a call are dropped and reported.
 *
 * @throws {@link ToolRegistrationError} when two parameters share a name or a schema is wrong.
 * @example inputSchema: parameters([{ name: 'city', description: 'city name' }, { name: 'days', type: 'integer', default: 3 }])
 */
export function parameters(list: readonly ToolParameter[]): StandardSchema<JsonObject, JsonObject> {
  const properties: Record<string, JsonValue> = {}
  const required: string[] = []
  for (const parameter of list) {
    if (Object.hasOwn(properties, parameter.name)) {
      throw new ToolRegistrationError(
        `parameters(): "${parameter.name}" is listed twice. Give each parameter its own name.`,
      )
    }
    properties[parameter.name] = parameterSchema(parameter)
    if (parameter.required ?? parameter.default === undefined) required.push(parameter.name)
  }
  return jsonSchema({ type: 'object', properties, required })
}

function parameterSchema(parameter: ToolParameter): JsonObject {
  const schema = parameter.schema ?? { type: parameter.type ?? 'string' }
  return {
    ...schema,
    ...(parameter.description === undefined || 'description' in schema
      ? {}
      : { description: parameter.description }),
    ...(parameter.default === undefined || 'default' in schema ? {} : { default: parameter.default }),
  }
}
