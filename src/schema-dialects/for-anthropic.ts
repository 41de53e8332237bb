import type { JsonObject } from '../tool/json-value.ts'
import { anthropicLoose, anthropicStrict } from './dialects.ts'
import { type PortableDefinition, type Projection, type ProjectionOptions, project } from './projection.ts'

/** A tool as Anthropic's messages take it. */
export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
  readonly strict?: boolean
}

/** What {@link forAnthropic} takes beside the definition. */
export interface AnthropicProjectionOptions extends ProjectionOptions {
  /**
   * Whether the model is held to the schema while it writes. A tool that cannot be strict (open objects, recursion) is
   * sent with `strict: false`. Its provider limits how much all strict tools of a request may say together.
   * @default false
   */
  readonly strict?: boolean
}

/**
 * A tool as Anthropic's messages take it, from one neutral JSON Schema 2020-12: no union at the root, and keys of letters,
 * digits, `_`, `.` and `-`. Strict: also closed objects, no bounds and no recursion
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations).
 *
 * @throws ToolRegistrationError that names the tool, when its schema is none or no object fits it.
 * @example const { tool, report, decode } = forAnthropic(getWeather.definition)
 */
export function forAnthropic(
  definition: PortableDefinition,
  options: AnthropicProjectionOptions = {},
): Projection<AnthropicTool> {
  const strict = options.strict === true ? anthropicStrict : undefined
  const { tool, ...rest } = project(definition, { strict, loose: anthropicLoose }, options)
  const { name, description, schema, isStrict } = tool
  const described = { name, description, input_schema: schema }
  return { ...rest, tool: options.strict === true ? { ...described, strict: isStrict } : described }
}
