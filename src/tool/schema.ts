import { resolveReference } from './check-json-schema.ts'
import { readIssue } from './error-data.ts'
import { ToolRegistrationError } from './errors.ts'
import {
  type Checked,
  copyJson,
  deepFreeze,
  firstIssue,
  hasMethods,
  isRecord,
  type JsonObject,
} from './json-value.ts'
import { convertStandardSchema } from './standard-json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import { convertValibotSchema, isValibotSchema } from './valibot-schema.ts'

/** What a model sees and what checks its answer, made from one object so that they cannot drift apart. */
export interface SchemaPair {
  /** JSON Schema 2020-12, frozen. */
  readonly jsonSchema: JsonObject
  /** Checks a value; the result is what the schema's transforms and defaults made of it. */
  validate(value: unknown): Promise<Checked<unknown>>
}

/** A tool without a schema takes no parameters. */
const noParameters: SchemaPair = {
  jsonSchema: deepFreeze({ type: 'object', properties: {} }),
  validate: async (value) => ({ value }),
}

/**
 * Reads any accepted schema: Valibot, or a Standard Schema that carries Standard JSON Schema (zod 4,
 * ArkType, `jsonSchema()`, `parameters()`).
 *
 * @throws {@link ToolRegistrationError} that names `where` and the path, when the schema cannot be
 * expressed. It never becomes a silently weaker one.
 */
export function readSchema(schema: unknown, where: string): SchemaPair {
  if (schema === undefined) return noParameters
  if (!isStandardSchema(schema)) {
    throw new ToolRegistrationError(
      `${where}: not a schema. Pass one of Valibot, zod 4 or ArkType, or wrap it as jsonSchema({ … }) or parameters([ … ]).`,
    )
  }
  const { value, issues } = copyJson(expressAsJsonSchema(schema, where))
  if (!isRecord(value)) {
    const place = issues === undefined ? '' : `: ${firstIssue(issues)}`
    throw new ToolRegistrationError(`${where}: the schema's JSON Schema is no JSON object${place}.`)
  }
  const { $schema: _dialect, ...jsonSchema } = value as JsonObject
  return { jsonSchema: deepFreeze(jsonSchema), validate: (value) => validate(schema, value) }
}

/**
 * Reads the schema of a tool's input, whose root must be an object.
 *
 * @throws {@link ToolRegistrationError} as {@link readSchema}, and when the root is something else.
 */
export function readInputSchema(schema: unknown, toolWhere: string): SchemaPair {
  const where = `${toolWhere}, inputSchema`
  const pair = readSchema(schema, where)
  const root = followRoot(pair.jsonSchema)
  if (root.type !== 'object') {
    // As every provider wants it.
    throw new ToolRegistrationError(
      `${where}: the root must be an object, got ${JSON.stringify(root).slice(0, 80)}. ` +
        'Put the value into a field: v.object({ value: … }); make a union one object with a v.picklist ' +
        'field that selects, and an intersection one with the fields of all.',
    )
  }
  return { ...pair, jsonSchema: deepFreeze(plainRoot(root)) }
}

// A recursive schema describes itself as a reference to one of its definitions.
function followRoot(jsonSchema: JsonObject): JsonObject {
  const { $ref, ...rest } = jsonSchema
  if (typeof $ref !== 'string' || rest.type !== undefined) return jsonSchema
  const target = resolveReference($ref, jsonSchema)
  return isRecord(target) ? { ...(target as JsonObject), ...rest } : jsonSchema
}

const keyRules = [
  ...['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas'],
  ...['patternProperties', 'additionalProperties', 'unevaluatedProperties'],
]

/** The root in the form that every provider takes: with `properties`, and `required` only when it says something. */
function plainRoot(root: JsonObject): JsonObject {
  const { required, ...rest } = root
  const plain = Array.isArray(required) && required.length === 0 ? rest : root
  if (isRecord(root.properties)) return plain
  // What names no keys takes any; empty `properties` alone would have them dropped.
  const isOpen = keyRules.every((key) => root[key] === undefined)
  return { ...plain, properties: {}, ...(isOpen && { additionalProperties: true }) }
}

function isStandardSchema(value: unknown): value is StandardSchema {
  // ArkType's schemas are functions.
  return hasMethods(Object(value)['~standard'], 'validate')
}

/** What a schema says of itself, as JSON Schema. */
function expressAsJsonSchema(schema: StandardSchema, where: string): unknown {
  const converted = isValibotSchema(schema) ? convertValibotSchema(schema) : convertStandardSchema(schema)
  if ('jsonSchema' in converted) return converted.jsonSchema
  if ('mistake' in converted) throw new ToolRegistrationError(`${where}: ${converted.mistake}`)
  const { path, reason } = converted
  const place = path === '' ? '' : ` at "${path}"`
  // Valibot's words for a step of a pipe, as opposed to a type.
  const hint = / action |flags/.test(reason)
    ? 'Put the rule into v.check(…): it is enforced, only the model does not see it.'
    : 'A model only sends JSON: take a string there and convert it, for example ' +
      'v.pipe(v.string(), v.transform((text) => new Date(text))).'
  throw new ToolRegistrationError(
    `${where}: the schema${place} cannot be expressed as JSON Schema: ${reason} ${hint}`,
  )
}

async function validate(schema: StandardSchema, value: unknown): Promise<Checked<unknown>> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return { value: result.value }
  return { issues: result.issues.map(readIssue) }
}
