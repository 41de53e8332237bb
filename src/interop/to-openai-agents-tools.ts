import { forOpenAI } from '../schema-dialects/for-openai.ts'
import { defined } from '../tool/defined.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { PendingCall } from '../tool/pending-call.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { HostCalls, type HostResult } from './host-calls.ts'
import { checkHostOptions, type HostExecutorOptions } from './host-options.ts'
import { type HostOutput, hostOutput } from './host-output.ts'

/** What {@link toOpenAIAgentsTools} takes beside the tools. */
export interface ToOpenAIAgentsOptions extends HostExecutorOptions {
  /**
   * Whether the model is held to the schema while it writes, where a tool's schema allows it. @default false: the gate
   * tells the model what is wrong
   */
  readonly strict?: boolean
  /** Told of each question that the run is to be interrupted for, with the host's id of the call. */
  onQuestion?(question: PendingCall, callId: string): void
  /** Told what each call gave, with the host's id of the call: the host keeps the text alone. */
  onOutput?(output: HostOutput, callId: string | undefined): void
}

/** What OpenAI Agents tells a tool with a call. */
export interface OpenAIAgentsCallDetails {
  readonly toolCall?: { readonly callId?: string }
  readonly signal?: AbortSignal
}

/** A piece of an output of a tool of OpenAI Agents. */
export type OpenAIAgentsContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: string | { readonly data: string; readonly mediaType: string } }
  | {
      readonly type: 'file'
      readonly file: { readonly data: string; readonly mediaType: string; readonly filename: string }
    }

/** The JSON Schema of an input as OpenAI Agents types it; whatever else the tool's schema says is there too. */
export interface OpenAIAgentsParameters {
  readonly type: 'object'
  readonly properties: Record<string, Record<string, unknown>>
  readonly required: string[]
  readonly additionalProperties: boolean
}

/** One of our tools as OpenAI Agents takes it (`FunctionTool`). */
export interface OpenAIAgentsTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly parameters: OpenAIAgentsParameters
  readonly strict: boolean
  invoke(
    runContext: unknown,
    input: string,
    details?: OpenAIAgentsCallDetails,
  ): Promise<string | readonly OpenAIAgentsContent[]>
  needsApproval(runContext: unknown, input: unknown, callId?: string): Promise<boolean>
  isEnabled(): Promise<boolean>
}

const where = 'toOpenAIAgentsTools()'

/**
 * Our tools for agents of OpenAI Agents JS. Each call runs through our gate, in its worker if it has one, with the run's
 * signal; the output is the text that the model is to read, also when the call failed. With `approval: 'host'` the run is
 * interrupted, and `state.approve` or `state.reject` answers; a yes holds on this page alone. What is no JSON the host
 * itself interrupts the run for, whoever asks; a yes to that runs nothing.
 *
 * The tools are those of now, with the definitions of now; their calls go to the tool that has the name then.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work, for tools that cannot be listed or sent, and for
 * those that are answered elsewhere (`external`): the host has no way for that.
 * @example
 * const agent = new Agent({ name: 'Clerk', tools: await toOpenAIAgentsTools(registry) })
 */
export async function toOpenAIAgentsTools(
  tools: ToolsGiven,
  options: ToOpenAIAgentsOptions = {},
): Promise<OpenAIAgentsTool[]> {
  checkHostOptions(options, ['strict', 'onQuestion', 'onOutput'], where)
  const { strict = false, onQuestion, onOutput, ...rest } = options
  const calls = new HostCalls(tools, rest, where)
  const listed = await calls.list()
  return listed.map((tool) => asTool(tool, calls, defined({ strict, onQuestion, onOutput })))
}

function asTool(
  { definition }: ListedTool,
  calls: HostCalls,
  { strict, onQuestion, onOutput }: Pick<ToOpenAIAgentsOptions, 'strict' | 'onQuestion' | 'onOutput'>,
): OpenAIAgentsTool {
  const { name } = definition
  if (definition.external) {
    throw new ToolRegistrationError(
      `${where}: ${name} is answered elsewhere, for which OpenAI Agents has no way. Leave it out.`,
    )
  }
  const { tool, decode } = forOpenAI(definition, { strict: strict ?? false })
  const { description, parameters, strict: isStrict = false } = tool.function
  return {
    ...{ type: 'function', name: tool.function.name, description, strict: isStrict },
    parameters: parametersOf(parameters),
    invoke: async (_context, text, details = {}) => {
      const callId = details.toolCall?.callId
      const request = {
        name,
        input: decoded(text, decode),
        ...(callId === undefined ? {} : { providerId: callId }),
      }
      const result = await calls.call(request, { signal: details.signal })
      details.signal?.throwIfAborted()
      if (result.isOk) onOutput?.(hostOutput(result), callId)
      return contentOf(result)
    },
    needsApproval: async (_context, input, callId) => {
      const asked = isRecord(input) ? decode(input as JsonObject) : input
      const request = { name, input: asked, ...(callId === undefined ? {} : { providerId: callId }) }
      const question = await calls.ask(request)
      if (question !== undefined) onQuestion?.(question, callId ?? '')
      return question !== undefined
    },
    isEnabled: async () => true,
  }
}

/** A copy, with the members that the host counts on. */
function parametersOf(schema: JsonObject): OpenAIAgentsParameters {
  const { properties = {}, required = [], additionalProperties = true } = schema
  const whole = { ...schema, type: 'object', properties, required, additionalProperties }
  return structuredClone(whole) as unknown as OpenAIAgentsParameters
}

/** The input as the tool knows it. What is no JSON object is the gate's to refuse. */
function decoded(text: string, decode: (input: JsonObject) => JsonObject): unknown {
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) ? decode(input as JsonObject) : text
  } catch {
    return text
  }
}

function contentOf({ text, parts }: HostResult): string | readonly OpenAIAgentsContent[] {
  if (parts.length === 0) return text
  const pieces = parts.map(({ type, data, mediaType, name }): OpenAIAgentsContent => {
    if (type === 'image') return { type, image: /^https?:/.test(data) ? data : { data, mediaType } }
    return { type: 'file', file: { data, mediaType, filename: name ?? 'file' } }
  })
  return [{ type: 'text', text }, ...pieces]
}
