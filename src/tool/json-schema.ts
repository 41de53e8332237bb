import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { checkJsonSchema } from './check-json-schema.ts'
import { ToolRegistrationError } from './errors.ts'
import { copyJson, firstIssue, type JsonObject, type ToolIssue } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'
import { isRecord } from './value-kinds.ts'

/**
 * Makes a schema from a raw JSON Schema (2020-12, local `$ref`s only), for tools whose schema comes from
 * elsewhere. It validates without `eval`, so it works under a strict CSP. Later changes to the given object
 * change nothing.
 *
 * @throws Nothing itself: a wrong schema is a {@link ToolRegistrationError} of the tool that uses it, with
 * the tool's name and the path, so that one bad tool in a list can be set aside.
 * @example inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 */
export function jsonSchema<Value = JsonObject>(schema: JsonObject): StandardSchema<Value, Value> {
  const read = readJsonSchema(schema)
  const checked = (): Exclude<typeof read, ToolRegistrationError> => {
    if (read instanceof ToolRegistrationError) throw read
    return read
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'offstage',
      validate: (value) => {
        const { valid, errors } = checked().validator.validate(value)
        return valid ? { value: value as Value } : { issues: readErrors(errors) }
      },
      jsonSchema: { input: () => ({ ...checked().own }) },
    },
  }
}

/** A checked copy with its validator, or what is wrong with the schema. */
function readJsonSchema(
  schema: JsonObject,
): { readonly own: JsonObject; readonly validator: Validator } | ToolRegistrationError {
  try {
    const copied = copyJson(schema)
    if (copied.issues !== undefined) {
      return new ToolRegistrationError(`the JSON Schema is not JSON: ${firstIssue(copied.issues)}.`)
    }
    const own = copied.value as JsonObject
    checkJsonSchema(own)
    // The validator writes into the schema that it is given.
    return { own, validator: new Validator(withoutExamples(own), '2020-12', false) }
  } catch (error) {
    if (error instanceof ToolRegistrationError) return error
    return new ToolRegistrationError(
      `the JSON Schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const plainData = new Set(['const', 'enum', 'default'])

// The validator takes an object under a keyword it does not know for a schema, and its "id" for an address.
function withoutExamples(node: JsonObject): Record<string, unknown> {
  const copy = (value: unknown, names: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => copy(item, false))
    if (!isRecord(value)) return value
    const kept = Object.entries(value).filter(([key]) => names || !/^(example$|x-)/.test(key))
    return Object.fromEntries(
      kept.map(([key, member]) => {
        const isData = !names && plainData.has(key)
        return [key, isData ? member : copy(member, !names && namedSchemas.has(key))]
      }),
    )
  }
  return copy(node, false) as Record<string, unknown>
}

const wrapperKeywords = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'unevaluatedItems', 'allOf', 'if', 'dependentSchemas', '$ref'],
])

// The validator reports a failing leaf and then every node above it; the leaves say what is wrong.
function readErrors(errors: readonly OutputUnit[]): ToolIssue[] {
  const leaves = errors.filter((error) => !wrapperKeywords.has(error.keyword))
  const issues = (leaves.length > 0 ? leaves : errors).map(({ instanceLocation, keyword, error }) => ({
    path: instanceLocation.replace(/^#\/?/, '').split('/').map(decodePointer).join('.'),
    message: keyword === 'false' ? 'this key is not known' : error,
    isFalse: keyword === 'false',
  }))
  // A known key with a wrong value is also reported as one key too many.
  const told = new Set(issues.filter(({ isFalse }) => !isFalse).map(({ path }) => path))
  return issues
    .filter(({ path, isFalse }) => !(isFalse && told.has(path)))
    .slice(0, 20)
    .map(({ path, message }) => ({ path, message }))
}

function decodePointer(segment: string): string {
  return decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~')
}
