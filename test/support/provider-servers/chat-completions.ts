import { events, openProviderServer, type ProviderReply, type ProviderServer } from './provider-server.ts'

/** What a model says in one message. */
export interface Answer {
  readonly reasoning?: string
  readonly text?: string
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly arguments: string }[]
  readonly finish?: string
}

/**
 * A chat completion as it is streamed: https://platform.openai.com/docs/api-reference/chat-streaming. Reasoning comes
 * in `reasoning_content`, as DeepSeek made it usual (https://api-docs.deepseek.com/guides/reasoning_model).
 */
export function chatCompletion({ reasoning, text, calls = [], finish }: Answer): ProviderReply {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_764_000_000, model: 'model' },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const all = [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(text === undefined ? [] : text.split(/(?<= )/).map((content) => chunk({ content }))),
    ...calls.flatMap((call, index) => callChunks(call, index).map((tool_calls) => chunk({ tool_calls }))),
    chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop')),
    { ...chunk({}), choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } },
  ]
  return { body: [...events(all), 'data: [DONE]\n\n'] }
}

function callChunks(
  { id, name, arguments: input }: NonNullable<Answer['calls']>[number],
  index: number,
): object[][] {
  const half = Math.ceil(input.length / 2)
  return [
    [{ index, ...(id !== undefined && { id }), type: 'function', function: { name, arguments: '' } }],
    [{ index, function: { arguments: input.slice(0, half) } }],
    [{ index, function: { arguments: input.slice(half) } }],
  ]
}

/**
 * A chat completion as Mistral streams it: https://docs.mistral.ai/api/#tag/chat, where calls come whole, and usage
 * with the last chunk.
 */
export function mistralCompletion({ text, calls = [] }: Answer): ProviderReply {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...{
      id: 'cmpl-1',
      object: 'chat.completion.chunk',
      created: 1_764_000_000,
      model: 'mistral-large-latest',
    },
    choices: [{ index: 0, delta, finish_reason }],
  })
  const tool_calls = calls.map(({ id, name, arguments: input }, index) => ({
    ...{ id, index, type: 'function', function: { name, arguments: input } },
  }))
  const last =
    calls.length > 0 ? chunk({ content: '', tool_calls }, 'tool_calls') : chunk({ content: '' }, 'stop')
  const all = [
    chunk({ role: 'assistant', content: '' }),
    ...(text === undefined ? [] : [chunk({ content: text })]),
    { ...last, usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } },
  ]
  return { body: [...events(all), 'data: [DONE]\n\n'] }
}

/** A request, as far as it is looked at. */
export interface ChatBody {
  readonly messages: readonly SentMessage[]
  readonly tools?: readonly object[]
  readonly tool_choice?: unknown
}

interface SentMessage {
  readonly role: string
  readonly content?: unknown
  readonly reasoning_content?: string
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly arguments: string } }[]
  readonly tool_call_id?: string
}

/**
 * A server that keeps the rules of chat completions: the answers to all calls of a message directly behind it
 * (https://platform.openai.com/docs/guides/function-calling), and ids that differ.
 */
export function openChatCompletions(replies: readonly ProviderReply[]): Promise<ProviderServer<ChatBody>> {
  return openProviderServer(
    {
      complaint,
      error: (message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
    },
    replies,
  )
}

/**
 * A server that keeps Mistral's rules too: ids of nine letters and digits, and no person's message behind results
 * (its codes 3280 and 3230, as in https://github.com/anomalyco/opencode/issues/1680 and
 * https://github.com/datapizza-labs/datapizza-ai/issues/98).
 */
export function openMistral(replies: readonly ProviderReply[]): Promise<ProviderServer<ChatBody>> {
  return openProviderServer(
    {
      complaint: (body) => mistralComplaint(body) ?? complaint(body),
      error: (message) => ({
        ...{ object: 'error', message, type: 'invalid_request_message_order', param: null, code: '3230' },
      }),
    },
    replies,
  )
}

function mistralComplaint({ messages }: ChatBody): string | undefined {
  for (const [index, { role, tool_calls = [], tool_call_id }] of messages.entries()) {
    const ids = [...tool_calls.map(({ id }) => id), ...(tool_call_id === undefined ? [] : [tool_call_id])]
    const wrong = ids.find((id) => !/^[a-zA-Z0-9]{9}$/.test(id))
    if (wrong !== undefined) return `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`
    if (role === 'user' && messages[index - 1]?.role === 'tool')
      return "Unexpected role 'user' after role 'tool'"
  }
  return undefined
}

function complaint({ messages }: ChatBody): string | undefined {
  const seen = new Set<string>()
  for (const [index, { tool_calls = [] }] of messages.entries()) {
    for (const [offset, { id }] of tool_calls.entries()) {
      if (seen.has(id)) return `Duplicate value for 'tool_call_id' of ${id}`
      seen.add(id)
      if (messages[index + 1 + offset]?.tool_call_id === id) continue
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each: ${id}`
    }
  }
  return undefined
}
