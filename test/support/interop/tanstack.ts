import type { TanStackTool } from 'offstage/interop'
import type { ScriptedCall, Turn } from './ai-sdk.ts'
import { realPackage } from './real-packages.ts'

/** An event of a run (AG-UI). */
export type Chunk = Readonly<Record<string, unknown>> & { readonly type: string }

/** A question that the person is asked on the client side. */
export interface Interrupt {
  readonly toolName: string
  readonly originalArgs: unknown
  resolveInterrupt(approved: boolean, options?: { readonly editedArgs?: unknown }): void
  cancel(): void
}

interface ChatClient {
  sendMessage(text: string): Promise<void>
  stop(): void
  getInterrupts(): readonly Interrupt[]
  getMessages(): readonly { readonly parts: readonly Record<string, unknown>[] }[]
}

interface TanStack {
  chat(options: object): AsyncIterable<Chunk>
}

interface TanStackClient {
  readonly ChatClient: new (options: object) => ChatClient
}

/** A run of `chat()` with these tools; gives its events. */
export async function chatOnServer(
  tools: readonly TanStackTool[],
  turns: readonly Turn[],
  extra: object = {},
): Promise<readonly Chunk[]> {
  const { chat } = await realPackage<TanStack>('@tanstack/ai')
  const chunks: Chunk[] = []
  const messages = [{ role: 'user', content: 'go' }]
  for await (const chunk of chat({ adapter: scriptedAdapter(turns).adapter, messages, tools, ...extra }))
    chunks.push(chunk)
  return chunks
}

/** A client with these tools, over a server that knows their definitions alone. */
export async function chatClient(
  tools: readonly TanStackTool[],
  turns: readonly Turn[],
): Promise<ChatClient> {
  const [{ chat }, { ChatClient }] = await Promise.all([
    realPackage<TanStack>('@tanstack/ai'),
    realPackage<TanStackClient>('@tanstack/ai-client'),
  ])
  const { adapter } = scriptedAdapter(turns)
  const definitions = tools.map(({ execute: _here, ...definition }) => definition)
  const connect = (messages: object[], _data: unknown, _signal: AbortSignal, context: object) => {
    const { threadId, runId, parentRunId, resume } = context as Record<string, unknown>
    const known = Object.fromEntries(
      Object.entries({ threadId, runId, parentRunId, resume }).filter(([, value]) => value),
    )
    return chat({ adapter, messages, tools: definitions, ...known })
  }
  return new ChatClient({ connection: { connect }, tools })
}

/** A model that says what it is told to, by the interface of TanStack's adapters. */
function scriptedAdapter(given: readonly Turn[]) {
  const turns = [...given]
  async function* chatStream({
    runId = 'r',
    threadId = 't',
  }: {
    readonly runId?: string
    readonly threadId?: string
  }) {
    const turn = turns.shift()
    if (turn === undefined) throw new Error('The scripted model has no more turns.')
    yield { type: 'RUN_STARTED', runId, threadId }
    if (typeof turn === 'string') {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' }
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: turn }
      yield { type: 'TEXT_MESSAGE_END', messageId: 'm' }
    } else yield* callsOf(turn)
    yield {
      type: 'RUN_FINISHED',
      runId,
      threadId,
      finishReason: typeof turn === 'string' ? 'stop' : 'tool_calls',
    }
  }
  return { adapter: { kind: 'text', name: 'scripted', model: 'scripted', '~types': {}, chatStream } }
}

function* callsOf(calls: readonly ScriptedCall[]) {
  for (const [index, { id = `call_${index}`, name, input = {} }] of calls.entries()) {
    const names = { toolCallId: id, toolCallName: name, toolName: name }
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    yield { type: 'TOOL_CALL_START', ...names, index }
    // In pieces of which the first may be JSON already.
    for (const delta of text.match(/.{1,7}/gs) ?? []) yield { type: 'TOOL_CALL_ARGS', toolCallId: id, delta }
    yield { type: 'TOOL_CALL_END', ...names }
  }
}
