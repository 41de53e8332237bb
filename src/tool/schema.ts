import { resolveReference } from './check-json-schema.ts'
import { issuePath } from './error-data.ts'
import { ToolRegistrationError } from './errors.ts'
import { type Checked, copyJson, deepFreeze, isRecord, type JsonObject } from './json-value.ts'
import { type ConvertedSchema, convertStandardSchema } from './standard-json-schema.ts'
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
  if (!isStandardSchema(schema)) throw notASchema(schema, where)
  const copied = copyJson(expressAsJsonSchema(schema, where))
  if (copied.issues !== undefined || !isRecord(copied.value)) {
    const reason =
      copied.issues?.map((issue) => `${issue.path}: ${issue.message}`).join('; ') ?? 'not an object'
    throw new ToolRegistrationError(`${where}: the schema's JSON Schema is not JSON (${reason}).`)
  }
  const { $schema: _dialect, ...jsonSchema } = copied.value as JsonObject
  return { jsonSchema: deepFreeze(jsonSchema), validate: (value) => validate(schema, value) }
}

/**
 * Reads the schema of a tool's input, whose root must be an object.
 *
 * @throws {@link ToolRegistrationError} as {@link readSchema}, and when the root is something else.
 */
export function readInputSchema(schema: unknown, where: string): SchemaPair {
  const pair = readSchema(schema, `${where}, inputSchema`)
  const root = followRoot(pair.jsonSchema)
  if (root.type !== 'object') {
    throw new ToolRegistrationError(
      `${where}, inputSchema: the root must be an object, got ${describeRoot(root)}. ` +
        'Providers only take an object at the root: put the value into a field, for example ' +
        'v.object({ value: … }); instead of a union of objects, use one object with a v.picklist field that ' +
        'selects; instead of an intersection, use one object with the fields of all.',
    )
  }
  return { ...pair, jsonSchema: deepFreeze(plainRoot(root)) }
}

// A recursive schema describes itself as a reference to one of its definitions.
function followRoot(jsonSchema: JsonObject): JsonObject {
  const { $ref, ...rest } = jsonSchema
  if (typeof $ref !== 'string' || jsonSchema.type !== undefined) return jsonSchema
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
  return { ...plain, properties: {}, ...(isOpen ? { additionalProperties: true } : {}) }
}

function describeRoot(jsonSchema: JsonObject): string {
  if (jsonSchema.type !== undefined) return `type ${JSON.stringify(jsonSchema.type)}`
  const keys = Object.keys(jsonSchema)
  return keys.length === 0 ? 'an empty schema' : `a schema without a type (${keys.join(', ')})`
}

function isStandardSchema(value: unknown): value is StandardSchema {
  // ArkType's schemas are functions.
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard = (value as { '~standard'?: unknown })['~standard']
  return isRecord(standard) && typeof standard.validate === 'function'
}

function notASchema(schema: unknown, where: string): ToolRegistrationError {
  // Valibot's actions have a type and a kind.
  const looksLikeJsonSchema =
    isRecord(schema) && !('kind' in schema) && ['type', 'properties', '$ref'].some((key) => key in schema)
  const hint = looksLikeJsonSchema
    ? 'This looks like a JSON Schema: wrap it as jsonSchema({ … }).'
    : 'Pass a Valibot schema such as v.object({ … }), another Standard Schema that carries Standard JSON Schema (zod 4, ArkType), jsonSchema({ … }) or parameters([ … ]).'
  return new ToolRegistrationError(`${where}: not a schema. ${hint}`)
}

/** What a schema says of itself, as JSON Schema. */
function expressAsJsonSchema(schema: StandardSchema, where: string): unknown {
  const isValibot = isValibotSchema(schema)
  const converted = isValibot ? convertValibotSchema(schema) : describeStandard(schema, where)
  if ('jsonSchema' in converted) return converted.jsonSchema
  const { path, reason } = converted
  const place = path === '' ? '' : ` at "${path}"`
  throw new ToolRegistrationError(
    `${where}: the schema${place} cannot be expressed as JSON Schema: ${reason} ${hintFor(reason)}`,
  )
}

function hintFor(reason: string): string {
  // Valibot's words for a step of a pipe, as opposed to a type.
  if (reason.includes(' action ') || reason.includes('flags')) {
    return 'Put the rule into v.check(…): it is enforced all the same, only the model does not see it.'
  }
  return (
    'A model only sends JSON: use a string, number, boolean, array or object there and convert it, ' +
    'for example v.pipe(v.string(), v.transform((text) => new Date(text))).'
  )
}

function describeStandard(schema: StandardSchema, where: string): ConvertedSchema {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) {
    throw new ToolRegistrationError(
      `${where}: this ${vendor} schema checks values but cannot describe itself as JSON Schema (no "~standard.jsonSchema"). ` +
        'Update the schema library, or pass jsonSchema({ … }) instead.',
    )
  }
  try {
    return convertStandardSchema(schema, jsonSchema.input)
  } catch (error) {
    // Thrown by jsonSchema(), which does not know whose schema it is.
    throw new ToolRegistrationError(`${where}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function validate(schema: StandardSchema, value: unknown): Promise<Checked<unknown>> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return { value: result.value }
  return { issues: result.issues.map((issue) => ({ path: issuePath(issue.path), message: issue.message })) }
}
