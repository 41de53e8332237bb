import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import type { RunContext } from '../tool/run-context.ts'
import { type Tool, tool } from '../tool/tool.ts'
import type { ToolResponse } from '../tool/tool-response.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { ExternalTool } from '../toolset/external.ts'
import type { ToolSource } from '../toolset/tool-source.ts'
import { responseOf } from './ai-sdk-response.ts'
import {
  checkForeignOptions,
  type ForeignOptions,
  foreignSource,
  foreignTraits,
  readForeignSchema,
} from './foreign-tools.ts'

/** The part of a tool of AI SDK 6 and 7 that is used here. */
export interface AISDKToolLike {
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly type?: unknown
  readonly needsApproval?: unknown
  // As methods, so that tools with inputs of any type fit.
  execute?(input: never, options: never): unknown
  toModelOutput?(options: never): unknown
}

const where = 'fromAISDKTools()'

/**
 * Tools of AI SDK 6 or 7 (`tool()`, `dynamicTool()`, what its MCP client gives) as a source of ours, under the origin
 * `foreign:{name}`. Their `needsApproval` counts beside ours, their `toModelOutput` is what the model reads; one without
 * `execute` is answered elsewhere, as one made with `external()`. `messages` is empty: our agent's are none of AI SDK's.
 *
 * @throws {@link ToolRegistrationError} that names the tool, for one that cannot be used (those that a provider runs
 * itself), and for an option that cannot be.
 * @example
 * const agent = new Agent({ model, tools: [await fromAISDKTools({ getWeather }, { name: 'weather', trust: 'app' })] })
 */
export async function fromAISDKTools(
  tools: Readonly<Record<string, AISDKToolLike>>,
  options: ForeignOptions,
): Promise<ToolSource> {
  checkForeignOptions(options, where)
  if (!isRecord(tools)) throw new ToolRegistrationError(`${where}: expected an object of tools by name.`)
  const made = await Promise.all(
    Object.entries(tools).map(([name, given]) => readTool(name, given as AISDKToolLike, options)),
  )
  return foreignSource(made, options, where)
}

async function readTool(name: string, given: AISDKToolLike, options: ForeignOptions): Promise<Tool> {
  const toolWhere = `${where}, "${name}"`
  if (!isRecord(given)) throw new ToolRegistrationError(`${toolWhere}: expected a tool of AI SDK.`)
  const { type, description } = given
  if (typeof type === 'string' && type.startsWith('provider')) {
    throw new ToolRegistrationError(
      `${toolWhere}: the provider runs it itself. Give it to the model, not to us.`,
    )
  }
  if (given.inputSchema === undefined && 'parameters' in given) {
    throw new ToolRegistrationError(
      `${toolWhere}: it has "parameters", as in AI SDK 4. Versions 6 and 7 are supported: call that inputSchema.`,
    )
  }
  const shared = {
    name,
    // Version 7 takes a function of the context, of which there is none here.
    description: typeof description === 'string' && description !== '' ? description : name,
    inputSchema: readForeignSchema(await schemaOf(given.inputSchema), toolWhere),
    ...foreignTraits(options),
  }
  if (typeof given.execute !== 'function') {
    // Whoever answers it is asked by that.
    return new ExternalTool({ ...shared, needsApproval: false })
  }
  return tool({
    ...shared,
    needsApproval: approvalOf(given, shared.needsApproval ?? false),
    execute: (input: JsonObject, context) => run(given, input, context),
  }) as Tool
}

/** AI SDK has schemas of its own, which may be made late, or by a function. */
async function schemaOf(given: unknown): Promise<unknown> {
  const isLazy = typeof given === 'function' && !('~standard' in given)
  const schema: unknown = isLazy ? given() : given
  const isOwn = Object(schema)[Symbol.for('vercel.ai.schema')] === true
  return isOwn ? await (schema as { readonly jsonSchema: unknown }).jsonSchema : schema
}

function approvalOf({ needsApproval }: AISDKToolLike, always: boolean) {
  if (always || typeof needsApproval !== 'function') return always || needsApproval === true
  return (input: JsonObject, context: RunContext) => needsApproval(input, optionsFor(context))
}

function optionsFor({ callId, signal }: RunContext) {
  return { toolCallId: callId, abortSignal: signal, messages: [] }
}

async function* run(
  given: AISDKToolLike,
  input: JsonObject,
  context: RunContext,
): AsyncGenerator<unknown, ToolResponse | unknown, undefined> {
  const options = optionsFor(context)
  const started = given.execute?.(input as never, options as never)
  let output: unknown
  if (Object(started)[Symbol.asyncIterator] === undefined) output = await started
  else {
    // Its last output is the result; those before are preliminary.
    let isFirst = true
    for await (const next of started as AsyncIterable<unknown>) {
      if (!isFirst) yield output
      isFirst = false
      output = next
    }
  }
  if (given.toModelOutput === undefined) return output
  const { toolCallId } = options
  return responseOf(await given.toModelOutput({ toolCallId, input, output } as never), output)
}
