import type { ChatChunk, ChatTransport } from 'offstage/interop'
import { realPackage } from './real-packages.ts'

/** A message as the user interface has it. */
export interface UIMessage {
  readonly id: string
  readonly role: string
  readonly parts: readonly UIPart[]
}

/** A part of it, as far as the tests look. */
export type UIPart = Readonly<Record<string, unknown>> & { readonly type: string }

/** AI SDK's own chat, without a framework. */
export interface Chat {
  readonly messages: UIMessage[]
  readonly status: string
  readonly error: Error | undefined
  sendMessage(
    message: { readonly text: string; readonly files?: readonly object[] } | undefined,
  ): Promise<void>
  regenerate(options?: { readonly messageId?: string }): Promise<void>
  stop(): Promise<void>
  addToolApprovalResponse(answer: {
    readonly id: string
    readonly approved: boolean
    readonly reason?: string
  }): Promise<void>
  addToolOutput(output: object): Promise<void>
}

interface AISDKUI {
  readonly AbstractChat: new (options: object) => Chat
  readonly uiMessageChunkSchema: unknown
  asSchema(schema: unknown): {
    validate(value: unknown): Promise<{ readonly success: boolean; readonly error?: unknown }>
  }
  lastAssistantMessageIsCompleteWithApprovalResponses(options: object): boolean
  lastAssistantMessageIsCompleteWithToolCalls(options: object): boolean
}

/** The versions under test. */
export const chatHosts: readonly (readonly [string, string])[] = [
  ['AI SDK 6', 'ai6'],
  ['AI SDK 7', 'ai7'],
]

/** A chat over a transport, of one version. */
export async function chatOver(
  version: string,
  transport: ChatTransport,
  options: { readonly automatic?: boolean; readonly messages?: readonly UIMessage[] } & Record<
    string,
    unknown
  > = {},
): Promise<Chat> {
  const sdk = await realPackage<AISDKUI>(version)
  const { automatic = true, messages = [], ...rest } = options
  let ids = 0
  const state = new ChatState([...messages])
  const isReady = (now: object) =>
    sdk.lastAssistantMessageIsCompleteWithApprovalResponses(now) ||
    sdk.lastAssistantMessageIsCompleteWithToolCalls(now)
  return new sdk.AbstractChat({
    id: 'chat',
    generateId: () => `id${++ids}-${messages.length}`,
    state,
    transport: checked(transport, sdk),
    ...(automatic && { sendAutomaticallyWhen: isReady }),
    ...rest,
  })
}

/** The same transport; a chunk that the version does not know fails the chat. */
function checked(transport: ChatTransport, sdk: AISDKUI): ChatTransport {
  const schema = sdk.asSchema(sdk.uiMessageChunkSchema)
  const check = async (chunk: ChatChunk, sink: TransformStreamDefaultController<ChatChunk>) => {
    const { success, error } = await schema.validate(chunk)
    if (success) sink.enqueue(chunk)
    else sink.error(error)
  }
  return {
    ...transport,
    sendMessages: async (request) =>
      (await transport.sendMessages(request)).pipeThrough(new TransformStream({ transform: check })),
  }
}

class ChatState {
  status = 'ready'
  error: Error | undefined
  messages: UIMessage[]

  constructor(messages: UIMessage[]) {
    this.messages = messages
  }

  pushMessage = (message: UIMessage) => {
    this.messages = [...this.messages, message]
  }

  popMessage = () => {
    this.messages = this.messages.slice(0, -1)
  }

  replaceMessage = (index: number, message: UIMessage) => {
    this.messages = this.messages.with(index, structuredClone(message))
  }

  snapshot = <T>(value: T): T => structuredClone(value)
}
