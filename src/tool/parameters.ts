import { checkOptions } from './check-options.ts'
import { ToolRegistrationError } from './errors.ts'
import { jsonSchema } from './json-schema.ts'
import { isForbiddenKey, type JsonObject, type JsonValue } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'
import { isRecord } from './value-kinds.ts'

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

const optionNames = ['name', 'type', 'description', 'required', 'default', 'schema']

/**
 * Makes a schema from a hand-written list of parameters. Unknown keys in a call are dropped and reported.
 *
 * @throws {@link ToolRegistrationError} when the list is not what it should be: two parameters of one name,
 * an unknown option, a default that its own parameter refuses. A wrong `schema` is reported by the tool
 * that uses it, as with `jsonSchema()`.
 * @example inputSchema: parameters([{ name: 'city', description: 'city name' }, { name: 'days', type: 'integer', default: 3 }])
 */
export function parameters(list: readonly ToolParameter[]): StandardSchema<JsonObject, JsonObject> {
  if (!Array.isArray(list)) {
    throw new ToolRegistrationError(
      `parameters(): expected a list, for example parameters([{ name: 'city', description: 'city name' }]).`,
    )
  }
  const properties: Record<string, JsonObject> = {}
  const required: string[] = []
  for (const [index, parameter] of (list as readonly ToolParameter[]).entries()) {
    checkParameter(parameter, index, properties)
    const schema = parameterSchema(parameter)
    properties[parameter.name] = schema
    if (parameter.required ?? schema.default === undefined) required.push(parameter.name)
  }
  checkDefaults(properties)
  return jsonSchema({ type: 'object', properties, ...(required.length === 0 ? {} : { required }) })
}

function checkParameter(parameter: ToolParameter, index: number, earlier: object): void {
  const where = `parameters(), [${index}]`
  checkOptions(parameter, optionNames, where)
  const { name, schema } = parameter
  if (typeof name !== 'string' || name === '' || isForbiddenKey(name)) {
    throw new ToolRegistrationError(
      `${where}: ${JSON.stringify(name)} cannot be the name of a parameter. Give it another one.`,
    )
  }
  if (Object.hasOwn(earlier, name)) {
    throw new ToolRegistrationError(
      `parameters(): "${name}" is listed twice. Give each parameter its own name.`,
    )
  }
  if (schema !== undefined && !isRecord(schema)) {
    throw new ToolRegistrationError(
      `${where}: the schema of "${name}" must be a JSON Schema, for example { type: 'string' }.`,
    )
  }
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

// A default that its own parameter refuses would make each call without it invalid.
function checkDefaults(properties: Record<string, JsonObject>): void {
  for (const [name, { default: value, ...schema }] of Object.entries(properties)) {
    if (value === undefined) continue
    const issue = firstIssue(jsonSchema({ properties: { [name]: schema } }), { [name]: value })
    if (issue !== undefined) {
      throw new ToolRegistrationError(`parameters(): the default of "${name}" is refused: ${issue}`)
    }
  }
}

function firstIssue(schema: StandardSchema, value: unknown): string | undefined {
  try {
    const result = schema['~standard'].validate(value)
    return 'issues' in result ? result.issues?.[0]?.message : undefined
  } catch {
    // The tool that uses the schema reports what is wrong with it, with its own name.
    return undefined
  }
}
