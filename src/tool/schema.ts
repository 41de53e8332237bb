import { resolveReference } from './check-json-schema.ts'
import { errorToData, readIssue } from './error-data.ts'
import { ToolRegistrationError } from './errors.ts'
import {
  type Checked,
  copyJson,
  copyJsonObject,
  deepFreeze,
  firstIssue,
  type JsonObject,
} from './json-value.ts'
import { failingPath } from './schema-parts.ts'
import { describeStandardSchema } from './standard-json-schema.ts'
import { isStandardSchema, type StandardSchema } from './standard-schema.ts'
import { describeValibotSchema, isValibotSchema } from './valibot-schema.ts'
import { isRecord } from './value-kinds.ts'
import { type MaybePromise, whenDone } from './when-done.ts'

/** What a model sees and what checks its answer, made from one object so that they cannot drift apart. */
export interface SchemaPair {
  /** JSON Schema 2020-12, frozen. */
  readonly jsonSchema: JsonObject
  /** Checks a value, at once if it can; the result is what the schema's transforms and defaults made of it. */
  validate(value: unknown): MaybePromise<Checked<unknown>>
}

/** A tool without a schema takes no parameters. */
const noParameters: SchemaPair = {
  jsonSchema: deepFreeze({ type: 'object', properties: {} }),
  validate: (value) => ({ value }),
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
  const { value, issues } = copyJsonObject(expressAsJsonSchema(schema, where))
  if (issues !== undefined) {
    throw new ToolRegistrationError(`${where}: the schema's JSON Schema is not JSON: ${firstIssue(issues)}.`)
  }
  const { $schema: _dialect, ...jsonSchema } = value
  return { jsonSchema: deepFreeze(jsonSchema), validate: (value) => validate(schema, value) }
}

/**
 * Reads the schema of a tool's input, whose root must be an object. It checks a copy: what the tool's own
 * functions do to their input must not change what a person sees.
 *
 * @throws {@link ToolRegistrationError} as {@link readSchema}, and when the root is something else.
 */
export function readInputSchema(schema: unknown, toolWhere: string): SchemaPair {
  const where = `${toolWhere}, inputSchema`
  const { jsonSchema, validate } = readSchema(schema, where)
  const root = followRoot(jsonSchema)
  if (root.type !== 'object') {
    // As every provider wants it.
    throw new ToolRegistrationError(
      `${where}: the root must be an object, got ${JSON.stringify(root).slice(0, 80)}. ` +
        'Put a value into a field: v.object({ value: … }); a union into one object with a v.picklist ' +
        'field; an intersection into one with the fields of all.',
    )
  }
  return {
    jsonSchema: deepFreeze(plainRoot(root)),
    validate: (input) => {
      const copied = copyJson(input)
      return copied.issues === undefined ? validate(copied.value) : copied
    },
  }
}

// A recursive schema describes itself as a reference to one of its definitions.
function followRoot(jsonSchema: JsonObject): JsonObject {
  const { $ref, ...rest } = jsonSchema
  if (typeof $ref !== 'string' || rest.type !== undefined) return jsonSchema
  const target = resolveReference($ref, jsonSchema)
  return isRecord(target) ? { ...(target as JsonObject), ...rest } : jsonSchema
}

const keyRules = /^(\$ref|if|(all|any|one)Of|dependentSchemas|(pattern|additional|unevaluated)Properties)$/

/** The root in the form that every provider takes: with `properties`, and `required` only when it says something. */
function plainRoot(root: JsonObject): JsonObject {
  const { required, ...rest } = root
  const plain = Array.isArray(required) && required.length === 0 ? rest : root
  if (isRecord(root.properties)) return plain
  // What names no keys takes any; empty `properties` alone would have them dropped.
  const isOpen = !Object.keys(root).some((key) => keyRules.test(key))
  return { ...plain, properties: {}, ...(isOpen && { additionalProperties: true }) }
}

/** What a schema says of itself, as JSON Schema. */
function expressAsJsonSchema(schema: StandardSchema, where: string): unknown {
  try {
    return convert(schema)
  } catch (error) {
    const { message } = errorToData(error)
    // Made without knowing whose schema it is.
    if (error instanceof ToolRegistrationError) throw new ToolRegistrationError(`${where}: ${message}`)
    const path = failingPath(schema, convert)
    const place = path === '' ? '' : ` at "${path}"`
    throw new ToolRegistrationError(
      `${where}: the schema${place} cannot be expressed as JSON Schema: ${message.replace(/\.?$/, '.')} ` +
        'Put a rule into v.check(…), which only the model does not see; where JSON has no such type, take a ' +
        'string and convert it: v.pipe(v.string(), v.transform(…)).',
    )
  }
}

function convert(schema: StandardSchema): unknown {
  return isValibotSchema(schema) ? describeValibotSchema(schema) : describeStandardSchema(schema)
}

function validate(schema: StandardSchema, value: unknown): MaybePromise<Checked<unknown>> {
  return whenDone(schema['~standard'].validate(value), (result) =>
    result.issues === undefined ? { value: result.value } : { issues: result.issues.map(readIssue) },
  )
}
