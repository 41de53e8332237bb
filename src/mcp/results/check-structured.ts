import { errorToData, readIssue } from '../../tool/error-data.ts'
import type { JsonObject, ToolIssue } from '../../tool/json-value.ts'
import type { StandardSchema } from '../../tool/standard-schema.ts'
import { isPromise } from '../../tool/when-done.ts'
import { boundedSchema } from '../definitions/bounded-schema.ts'

/** Made once for each schema: reading one costs more than checking a value. */
const schemas = new WeakMap<JsonObject, StandardSchema<JsonObject>>()

/**
 * What is wrong with structured data, by the output schema of its tool. Empty when nothing is, and when the schema is
 * one that cannot be used here: the data is no worse for that.
 */
export function checkStructured(data: unknown, outputSchema: JsonObject): readonly ToolIssue[] {
  const schema = schemas.get(outputSchema) ?? boundedSchema(outputSchema)
  schemas.set(outputSchema, schema)
  try {
    const result = schema['~standard'].validate(data)
    return isPromise(result) ? [] : (result.issues ?? []).map(readIssue)
  } catch (error) {
    const { name, message } = errorToData(error)
    return name === 'ToolRegistrationError' ? [] : [{ path: '', message }]
  }
}
