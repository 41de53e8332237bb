import { forOpenAI } from '../schema-dialects/for-openai.ts'
import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { isTool, type Tool } from '../tool/tool.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { whenDone } from '../tool/when-done.ts'
import { type HostSchema, type HostValidation, hostSchema } from './schema-for-hosts.ts'

/** What {@link standardTool} gives. */
export interface StandardTool<Input = unknown> extends HostSchema<Input> {
  readonly name: string
  readonly description: string
  /** The same schema, where AI SDK and TanStack AI look for it. */
  readonly inputSchema: HostSchema<Input>
  /** The same, where OpenAI Agents looks for it. */
  readonly parameters: HostSchema<Input>
}

/** What {@link standardTool} takes beside the tool. */
export interface StandardToolOptions {
  /**
   * Whether the JSON Schema is what OpenAI's strict mode takes; nulls that it puts in are taken out again before the
   * check. @default false
   */
  readonly strict?: boolean
}

/**
 * A tool's name, description and schema as one object that other libraries take as it is: Standard Schema with Standard
 * JSON Schema. It checks what the tool's own schema checks, and runs nothing: to have calls pass our gate, use
 * `toAISDKTools` and its like.
 *
 * @throws {@link ToolRegistrationError} for what is no tool, and for a tool that OpenAI does not take, with `strict`.
 * @example
 * const weather = tool({ ...standardTool(getWeather), execute: callOurServer }) // AI SDK
 * const weather = toolDefinition(standardTool(getWeather)).server(callOurServer) // TanStack AI
 * const weather = tool({ ...standardTool(getWeather, { strict: true }), execute: callOurServer }) // OpenAI Agents
 */
export function standardTool<Input>(
  tool: Tool<Input, never>,
  options: StandardToolOptions = {},
): StandardTool<Input> {
  const where = 'standardTool()'
  checkOptions(options, ['strict'], where)
  if (!isTool(tool)) throw new ToolRegistrationError(`${where}: not a tool. Make one with tool({ … }).`)
  const { name, description, inputSchema } = tool.definition
  const { tool: sent, decode } = forOpenAI(tool.definition, { strict: options.strict ?? false })
  if (options.strict && sent.function.strict !== true) {
    throw new ToolRegistrationError(
      `${where}: ${name} cannot be sent in strict mode. describePortability(tool.definition) says why; leave out strict.`,
    )
  }
  const { validate } = tool['~internals'].input
  const check = (value: unknown) =>
    whenDone(
      validate(options.strict && isRecord(value) ? decode(value as JsonObject) : value),
      (checked): HostValidation<Input> =>
        checked.issues === undefined
          ? { value: checked.value as Input }
          : {
              issues: checked.issues.map(({ message, path }) => ({
                message,
                path: path === '' ? [] : path.split('.'),
              })),
            },
    )
  const schema = hostSchema<Input>(options.strict ? sent.function.parameters : inputSchema, check)
  return Object.freeze({
    name,
    description,
    inputSchema: schema,
    parameters: schema,
    '~standard': schema['~standard'],
  })
}
