import { errorToData, readIssue } from '../../tool/error-data.ts'
import type { JsonObject, JsonValue, ToolIssue } from '../../tool/json-value.ts'
import type { StandardSchema } from '../../tool/standard-schema.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { isPromise } from '../../tool/when-done.ts'
import { boundedSchema } from '../definitions/bounded-schema.ts'

/** Longer data is not checked, in characters of JSON: the server chooses both it and what it is checked against. */
const maxCheckedChars = 20_000

/** Made once for each schema: reading one costs more than checking a value. */
const schemas = new WeakMap<JsonObject, StandardSchema<JsonObject>>()

/**
 * What is wrong with structured data, by the output schema of its tool. Empty when nothing is, and when the schema is
 * one that cannot be used here or the data is too long for that: the data is no worse for it.
 */
export function checkStructured(data: unknown, outputSchema: JsonObject): readonly ToolIssue[] {
  const schema = schemas.get(outputSchema) ?? boundedSchema(quickSchema(outputSchema) as JsonObject)
  schemas.set(outputSchema, schema)
  try {
    if ((JSON.stringify(data) ?? '').length > maxCheckedChars) return []
    const result = schema['~standard'].validate(data)
    return isPromise(result) ? [] : (result.issues ?? []).map(readIssue)
  } catch (error) {
    const { name, message } = errorToData(error)
    return name === 'ToolRegistrationError' ? [] : [{ path: '', message }]
  }
}

const slow = new Set(['pattern', 'patternProperties', 'uniqueItems'])
/** Without the patterns they would refuse what a pattern lets in. */
const besidePatterns = new Set(['additionalProperties', 'unevaluatedProperties'])
const schemaMaps = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])
const plainData = new Set(['const', 'enum', 'default'])

/** The schema without what takes longer than the data is long. */
function quickSchema(node: JsonValue, isMap = false): JsonValue {
  if (Array.isArray(node)) return node.map((item: JsonValue) => quickSchema(item))
  if (!isRecord(node)) return node
  const schema = node as JsonObject
  const isLeftOut = (key: string) =>
    !isMap && (slow.has(key) || (schema.patternProperties !== undefined && besidePatterns.has(key)))
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !isLeftOut(key))
      .map(([key, member]) => {
        const isData = !isMap && plainData.has(key)
        return [key, isData ? member : quickSchema(member, !isMap && schemaMaps.has(key))]
      }),
  )
}
