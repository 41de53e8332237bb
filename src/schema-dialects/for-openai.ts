import type { OpenAITool } from '../tool/describe-tools.ts'
import { openaiLoose, openaiStrict } from './dialects.ts'
import { type PortableDefinition, type Projection, type ProjectionOptions, project } from './projection.ts'

/** What {@link forOpenAI} takes beside the definition. */
export interface OpenAIProjectionOptions extends ProjectionOptions {
  /**
   * Whether the model is held to the schema while it writes. A tool that cannot be strict (open objects, values of any
   * type, more than 5,000 keys or 10 levels) is sent with `strict: false`. @default false
   */
  readonly strict?: boolean
}

/**
 * A tool as OpenAI's chat completions take it, from one neutral JSON Schema 2020-12. Strict: every object closed, every
 * key required, null for what is absent, `anyOf` for every union
 * (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
 * Else only what its API refuses is changed: a union at the root, an array without items. Descriptions end at 1,024
 * characters, from where on OpenAI refuses them.
 *
 * @throws ToolRegistrationError that names the tool, when its schema is none or no object fits it.
 * @example const { tool, report, decode } = forOpenAI(getWeather.definition, { strict: true })
 */
export function forOpenAI(
  definition: PortableDefinition,
  options: OpenAIProjectionOptions = {},
): Projection<OpenAITool> {
  const strict = options.strict === true ? openaiStrict : undefined
  const { tool, ...rest } = project(
    definition,
    { strict, loose: openaiLoose },
    { maxDescriptionChars: 1024, ...options },
  )
  const { name, description, schema: parameters, isStrict } = tool
  const described = { name, description, parameters }
  return {
    ...rest,
    tool: {
      type: 'function',
      function: options.strict === true ? { ...described, strict: isStrict } : described,
    },
  }
}
