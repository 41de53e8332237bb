import type { PendingCall } from '../tool/pending-call.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import type { AISDKCallOptions, AISDKContent, AISDKModelOutput, AISDKTool } from './ai-sdk-types.ts'
import { HostCalls } from './host-calls.ts'
import { checkHostOptions, type HostExecutorOptions } from './host-options.ts'
import { type HostOutput, hostOutput } from './host-output.ts'
import { progressStream } from './progress-stream.ts'
import { uncheckedSchema } from './schema-for-hosts.ts'

/** What {@link toAISDKTools} takes beside the tools. */
export interface ToAISDKOptions extends HostExecutorOptions {
  /**
   * Told of each question that AI SDK is to ask, with its own id of the call: what the person is shown should say what
   * is in it, above all the reasons.
   */
  onQuestion?(question: PendingCall, toolCallId: string): void
}

const where = 'toAISDKTools()'

/**
 * Our tools for `generateText`, `streamText` and agents of AI SDK 6 and 7. Each call runs through our gate, in its worker
 * if it has one, with AI SDK's abort signal. The output is a {@link HostOutput}: its `text` is what the model reads,
 * `data` what the app shows; what a tool reports meanwhile are preliminary outputs. A call that fails is a tool error
 * with a text that says how to mend it. With `approval: 'host'` AI SDK asks the person (`tool-approval-request`).
 *
 * The tools are those of now, with the definitions of now; their calls go to the tool that has the name then.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work, and for tools that cannot be listed.
 * @example
 * const tools = await toAISDKTools(registry)
 * const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(5) })
 */
export async function toAISDKTools(
  tools: ToolsGiven,
  options: ToAISDKOptions = {},
): Promise<Record<string, AISDKTool>> {
  checkHostOptions(options, ['onQuestion'], where)
  const { onQuestion, ...rest } = options
  const calls = new HostCalls(tools, rest, where)
  const listed = await calls.list()
  // Without a prototype: a model that makes up "constructor" calls nothing.
  const made: Record<string, AISDKTool> = Object.create(null)
  for (const tool of listed) made[tool.definition.name] = asTool(tool, calls, onQuestion)
  return made
}

function asTool(
  { definition, origin, fingerprint }: ListedTool,
  calls: HostCalls,
  onQuestion: ToAISDKOptions['onQuestion'],
): AISDKTool {
  const { name } = definition
  return {
    description: definition.description,
    inputSchema: uncheckedSchema(definition),
    metadata: { offstage: { origin, fingerprint } },
    needsApproval: async (input, { toolCallId = '' } = {}) => {
      const question = await calls.ask({ name, input, providerId: toolCallId })
      if (question !== undefined) onQuestion?.(question, toolCallId)
      return question !== undefined
    },
    ...(definition.external ? {} : { execute: (input, options) => run(calls, name, input, options) }),
    toModelOutput: ({ output }) => modelOutput(output),
  }
}

async function* run(
  calls: HostCalls,
  name: string,
  input: unknown,
  { toolCallId = '', abortSignal }: AISDKCallOptions = {},
): AsyncGenerator<HostOutput, void, undefined> {
  const request = { name, input, providerId: toolCallId }
  const stream = progressStream<unknown, HostOutput>(
    async (report, signal) =>
      hostOutput(
        await calls.call(request, {
          signal,
          onEvent: (event) => {
            if (event.type === 'progress') report(event.value)
          },
        }),
      ),
    abortSignal,
  )
  for await (const told of stream) {
    if ('result' in told) yield told.result
    else yield { status: 'running', text: '', progress: told.progress }
  }
}

/** What the model is given: it may come out of a conversation that the app has stored. */
function modelOutput(output: unknown): AISDKModelOutput {
  if (!isRecord(output) || typeof output.text !== 'string') {
    return { type: 'text', value: JSON.stringify(output) ?? String(output) }
  }
  const { text, parts = [] } = output as unknown as HostOutput
  if (parts.length === 0) return { type: 'text', value: text }
  return { type: 'content', value: [{ type: 'text', text }, ...parts.map(contentOf)] }
}

function contentOf({ type, data, mediaType }: NonNullable<HostOutput['parts']>[number]): AISDKContent {
  return /^https?:/.test(data)
    ? { type: `${type}-url`, url: data, mediaType }
    : { type: `${type}-data`, data: data.replace(/^data:[^,]*,/, ''), mediaType }
}
