import { type OutputUnit, Validator } from '@cfworker/json-schema'
import { checkJsonSchema } from './check-json-schema.ts'
import type { JsonObject, ToolIssue } from './json-value.ts'
import type { StandardSchema } from './standard-schema.ts'

/**
 * Makes a schema from a raw JSON Schema (2020-12, local `$ref`s only), for tools whose schema comes from
 * elsewhere. It is checked at once and validates without `eval`, so it works under a strict CSP.
 *
 * @throws {@link ToolRegistrationError} that names the path, when the schema itself is wrong.
 * @example inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })
 */
export function jsonSchema<Value = JsonObject>(schema: JsonObject): StandardSchema<Value, Value> {
  checkJsonSchema(schema)
  let validator: Validator | undefined
  return {
    '~standard': {
      version: 1,
      vendor: 'offstage',
      validate: (value) => {
        validator ??= new Validator(schema as Record<string, unknown>, '2020-12', false)
        const { valid, errors } = validator.validate(value)
        return valid ? { value: value as Value } : { issues: readErrors(errors) }
      },
      jsonSchema: { input: () => ({ ...schema }) },
    },
  }
}

// The validator reports a failing leaf and then every node above it; the leaves say what is wrong.
function readErrors(errors: readonly OutputUnit[]): ToolIssue[] {
  const leaves = errors.filter((error) => !wrapperKeywords.has(error.keyword))
  return (leaves.length > 0 ? leaves : errors).slice(0, 20).map((error) => ({
    path: error.instanceLocation.replace(/^#\/?/, '').split('/').map(decodePointer).join('.'),
    message: error.error,
  }))
}

const wrapperKeywords = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
])

function decodePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
