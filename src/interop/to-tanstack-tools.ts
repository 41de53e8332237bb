import { ToolRegistrationError } from '../tool/errors.ts'
import type { ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { HostCalls } from './host-calls.ts'
import { checkHostOptions, type HostExecutorOptions } from './host-options.ts'
import { type HostOutput, hostOutput } from './host-output.ts'
import { type HostSchema, uncheckedSchema } from './schema-for-hosts.ts'

/** Where TanStack AI runs a tool. */
export type TanStackSide = 'client' | 'server'

/** What {@link toTanStackTools} takes beside the tools. */
export interface ToTanStackOptions<Side extends TanStackSide = TanStackSide> extends HostExecutorOptions {
  /** Where the tools run: with `ChatClient` and `useChat`, or in `chat()`. @default 'client' */
  readonly side?: Side
  /** Told what each call gave, with the host's id of the call: the host keeps the text alone. */
  onOutput?(output: HostOutput, toolCallId: string | undefined): void
}

/** What TanStack AI tells a tool with a call. */
export interface TanStackCallContext {
  readonly toolCallId?: string
  /** Absent on the client side. */
  readonly abortSignal?: AbortSignal
  emitCustomEvent?(name: string, value: Record<string, unknown>): void
}

/** One of our tools as TanStack AI takes it. */
export interface TanStackTool<Side extends TanStackSide = TanStackSide> {
  readonly __toolSide: Side
  readonly name: string
  readonly description: string
  readonly inputSchema: HostSchema
  readonly needsApproval: boolean
  readonly metadata: Record<string, unknown>
  /** Absent for tools whose calls are answered elsewhere. */
  execute?(input: unknown, context?: TanStackCallContext): Promise<string | readonly TanStackContent[]>
}

/** A piece of an output of a tool of TanStack AI (`ContentPart`). */
export type TanStackContent =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'image' | 'document'
      readonly source:
        | { readonly type: 'url'; readonly value: string; readonly mimeType: string }
        | { readonly type: 'data'; readonly value: string; readonly mimeType: string }
    }

const where = 'toTanStackTools()'

/**
 * Our tools for TanStack AI. Each call runs through our gate, in its worker if it has one; the output is the text that the
 * model is to read, a failure is an error with such a text. `chat()` hands its abort signal on, and what a tool reports
 * are custom events `offstage.progress`; `ChatClient` has neither.
 *
 * With `approval: 'host'` TanStack asks: it can only be told of a tool as a whole, so it does so for each call of a tool
 * that may need a yes, and the yes is to the input that it then runs, which the person may have edited. What the policy
 * wants asked beside that goes to `confirm`; so does a call without an id, which no interrupt of TanStack was about: its
 * realtime client and its code mode make such calls and ask nobody.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work, and for tools that cannot be listed.
 * @example
 * const { messages } = useChat({ connection, tools: await toTanStackTools(registry) })
 */
export async function toTanStackTools<Side extends TanStackSide = 'client'>(
  tools: ToolsGiven,
  options: ToTanStackOptions<Side> = {},
): Promise<TanStackTool<Side>[]> {
  checkHostOptions(options, ['side', 'onOutput'], where)
  const { side = 'client' as Side, onOutput, ...rest } = options
  if (side !== 'client' && side !== 'server') {
    throw new ToolRegistrationError(
      `${where}, side: expected "client" or "server", got ${JSON.stringify(side)}.`,
    )
  }
  const calls = new HostCalls(tools, rest, where)
  const exporting = { side, hostAsks: rest.approval === 'host', ...(onOutput && { onOutput }) }
  const listed = await calls.list()
  return listed.map((tool) => asTool(tool, calls, exporting))
}

interface Exporting<Side extends TanStackSide> extends Pick<ToTanStackOptions, 'onOutput'> {
  readonly side: Side
  readonly hostAsks: boolean
}

function asTool<Side extends TanStackSide>(
  { definition, origin, fingerprint }: ListedTool,
  calls: HostCalls,
  { side, onOutput, hostAsks }: Exporting<Side>,
): TanStackTool<Side> {
  const { name, description } = definition
  const needsApproval = hostAsks && definition.needsApproval !== false
  return {
    __toolSide: side,
    ...{ name, description, inputSchema: uncheckedSchema(definition), needsApproval },
    metadata: { offstage: { origin, fingerprint } },
    ...(!definition.external && {
      execute: async (input, { toolCallId, abortSignal, emitCustomEvent } = {}) => {
        const request = { name, input, ...(toolCallId === undefined ? {} : { providerId: toolCallId }) }
        // It runs what the person has approved, and tells nobody what that was: asked now, answered then.
        if (needsApproval && toolCallId !== undefined) await calls.ask(request)
        const result = await calls.call(request, {
          signal: abortSignal,
          onEvent: (event) => {
            if (event.type === 'progress') emitCustomEvent?.('offstage.progress', { progress: event.value })
          },
        })
        const output = hostOutput(result)
        onOutput?.(output, toolCallId)
        return contentOf(output, side)
      },
    }),
  }
}

function contentOf({ text, parts }: HostOutput, side: TanStackSide): string | readonly TanStackContent[] {
  if (parts === undefined) return side === 'server' && isChangedByParsing(text) ? JSON.stringify(text) : text
  const pieces = parts.map(({ type, data, mediaType }): TanStackContent => {
    const source = { type: /^https?:/.test(data) ? 'url' : 'data', value: data, mimeType: mediaType } as const
    return { type: type === 'image' ? type : 'document', source }
  })
  return [{ type: 'text', content: text }, ...pieces]
}

/** `chat()` parses each text that is JSON and writes it anew: of a long number another one would be left. */
function isChangedByParsing(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) !== text || text.startsWith('"')
  } catch {
    return false
  }
}
