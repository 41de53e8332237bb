import type { JsonObject } from '../tool/json-value.ts'
import { gemini } from './dialects.ts'
import { type PortableDefinition, type Projection, type ProjectionOptions, project } from './projection.ts'

/** A function declaration as Gemini's API takes it. */
export interface GeminiTool {
  readonly name: string
  readonly description: string
  /** Absent for a tool without parameters: Gemini refuses an object without keys there. */
  readonly parameters?: JsonObject
}

/**
 * A tool as a function declaration for Gemini, from one neutral JSON Schema 2020-12, for its field `parameters`: one type
 * with `nullable`, no `const`, `oneOf`, `allOf` or `additionalProperties`, lists of texts only, no references. A schema
 * that contains itself is written three levels deep (https://ai.google.dev/api/caching#Schema).
 *
 * @throws ToolRegistrationError that names the tool, when its schema is none or no object fits it.
 * @example const { tool, report, decode } = forGemini(getWeather.definition)
 */
export function forGemini(
  definition: PortableDefinition,
  options: ProjectionOptions = {},
): Projection<GeminiTool> {
  const { tool, ...rest } = project(definition, { loose: gemini }, options)
  const { name, description, schema } = tool
  const isEmpty = Object.keys(Object(schema.properties)).length === 0
  return { ...rest, tool: { name, description, ...(isEmpty ? {} : { parameters: schema }) } }
}
