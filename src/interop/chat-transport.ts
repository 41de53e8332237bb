import type { Agent } from '../agent/agent.ts'
import { checkOptions } from '../tool/check-options.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { isRecord } from '../tool/value-kinds.ts'
import { ChatConversation } from './chat-conversation.ts'
import type { ChatChunk, ChatRequest, ChatTransport } from './chat-types.ts'

/** What {@link chatTransport} takes beside the agent. */
export interface ChatTransportOptions<Deps = unknown> {
  /** For each run. @default the agent's */
  readonly deps?: Deps
}

const where = 'chatTransport()'

/**
 * An agent of ours behind `useChat`, `Chat` and assistant-ui (AI SDK 6 and 7): a `ChatTransport`. Texts, reasoning, files,
 * calls as they are written, progress (preliminary outputs) and results come as AI SDK's chunks; the output of a tool is
 * a {@link HostOutput}. With `confirm: 'pause'` its approval requests ask the person, and the answers in the messages
 * that come next go on with the run; an answer holds for the very call that was asked about, and once. A data part
 * `data-offstage-question` beside each request has the reasons and what else the person should see. What the person
 * says instead leaves the questions unanswered. Tools without a body (`external()`) take their output with
 * `addToolOutput`. What a person fills in (`userFields`) the interface cannot ask for: give such an agent a `confirm`.
 *
 * The conversation lives here as long as the page. After a reload it is taken from the messages that the app has kept:
 * results of tools in it are not trusted beyond what their tools' labels say. Questions of before can be answered where the
 * agent has a `store`. A chunk
 * `error` says what is wrong; nothing rejects.
 *
 * @throws {@link ToolRegistrationError} for what is no agent, and for an option that cannot be.
 * @example
 * const { messages, sendMessage, addToolApprovalResponse } = useChat({
 *   transport: chatTransport(agent),
 *   sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
 * })
 */
export function chatTransport<Deps>(
  agent: Agent<Deps>,
  options: ChatTransportOptions<Deps> = {},
): ChatTransport {
  checkOptions(options, ['deps'], where)
  if (typeof agent?.stream !== 'function') {
    throw new ToolRegistrationError(`${where}: there is no agent. Pass new Agent({ … }).`)
  }
  const chats = new Map<string, ChatConversation<Deps>>()
  const chatOf = (id: string) => {
    const chat = chats.get(id) ?? new ChatConversation(agent, options.deps)
    chats.set(id, chat)
    return chat
  }
  return {
    sendMessages: async (request) => {
      const mistake = mistakeIn(request)
      if (mistake !== undefined)
        return streamOf(async function* () {
          yield { type: 'error', errorText: mistake }
        })
      return streamOf((signal) => chatOf(request.chatId).take(request, signal), request.abortSignal)
    },
    reconnectToStream: async () => null,
    forget: async (chatId) => {
      const chat = chats.get(chatId)
      chats.delete(chatId)
      await chat?.forget()
    },
  }
}

function mistakeIn(request: ChatRequest): string | undefined {
  const { messages, chatId } = Object(request) as Partial<ChatRequest>
  const isMessage = (one: unknown) => isRecord(one) && typeof one.id === 'string' && Array.isArray(one.parts)
  if (typeof chatId !== 'string') return 'The request has no chatId.'
  const isOk = Array.isArray(messages) && messages.every((one) => isMessage(one) && one.parts.every(isRecord))
  return isOk ? undefined : 'The messages are not what AI SDK sends: each has { id, role, parts }.'
}

/** A run begins when its stream is first read, and ends with it. */
function streamOf(
  run: (signal: AbortSignal) => AsyncGenerator<ChatChunk, void, undefined>,
  outer?: AbortSignal,
): ReadableStream<ChatChunk> {
  const controller = new AbortController()
  const stop = () => controller.abort(outer?.reason)
  outer?.addEventListener('abort', stop, { once: true })
  if (outer?.aborted) stop()
  const chunks = run(controller.signal)
  const over = () => outer?.removeEventListener('abort', stop)
  return new ReadableStream<ChatChunk>(
    {
      pull: async (sink) => {
        const { done, value } = await chunks.next()
        if (!done) sink.enqueue(value)
        else {
          over()
          sink.close()
        }
      },
      cancel: async () => {
        controller.abort(new DOMException('The stream was cancelled', 'AbortError'))
        over()
        // What was done until then is part of the conversation.
        while (!(await chunks.next()).done);
      },
    },
    { highWaterMark: 0 },
  )
}
