import { openProviderServer, type ProviderReply, type ProviderServer } from './provider-server.ts'

/** A block of an answer. `json` is the input of a call in the pieces in which it is streamed. */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly json: readonly string[]
    }

/**
 * A message as the Messages API streams it: https://platform.claude.com/docs/en/build-with-claude/streaming.md, with
 * the pings that may stand anywhere.
 */
export function anthropicMessage(blocks: readonly Block[], stopReason?: string): ProviderReply {
  const called = blocks.some(({ type }) => type === 'tool_use')
  return {
    body: [
      event({ type: 'message_start', message: startOf() }),
      event({ type: 'ping' }),
      ...blocks.flatMap(blockEvents),
      event({
        type: 'message_delta',
        delta: { stop_reason: stopReason ?? (called ? 'tool_use' : 'end_turn'), stop_sequence: null },
        usage: { output_tokens: 20 },
      }),
      event({ type: 'message_stop' }),
    ],
  }
}

function startOf(): object {
  const usage = { input_tokens: 10, output_tokens: 1 }
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content: [] },
    ...{ stop_reason: null, stop_sequence: null, usage },
  }
}

function blockEvents(block: Block, index: number): readonly string[] {
  const start = (content_block: object) => event({ type: 'content_block_start', index, content_block })
  const delta = (value: object) => event({ type: 'content_block_delta', index, delta: value })
  const stop = event({ type: 'content_block_stop', index })
  switch (block.type) {
    case 'text':
      return [
        start({ type: 'text', text: '' }),
        ...block.text.split(/(?<= )/).map((text) => delta({ type: 'text_delta', text })),
        stop,
      ]
    case 'thinking':
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        delta({ type: 'thinking_delta', thinking: block.thinking }),
        delta({ type: 'signature_delta', signature: block.signature }),
        stop,
      ]
    case 'redacted_thinking':
      return [start(block), stop]
    case 'tool_use': {
      const { json, ...rest } = block
      const pieces = json.map((partial_json) => delta({ type: 'input_json_delta', partial_json }))
      return [start({ ...rest, input: {} }), ...pieces, stop]
    }
  }
}

function event(value: { readonly type: string; readonly [member: string]: unknown }): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}

/** A request, as far as it is looked at. */
export interface AnthropicBody {
  readonly system?: readonly { readonly text: string }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly SentBlock[] }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly tool_choice?: { readonly type: string }
}

interface SentBlock {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly signature?: string
  readonly id?: string
  readonly tool_use_id?: string
}

/**
 * A server that keeps the rules of the Messages API: results of all calls at the start of the very next message
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls), thinking that comes back as it
 * was signed (https://platform.claude.com/docs/en/build-with-claude/extended-thinking), ids of `[a-zA-Z0-9_-]`, no empty
 * texts, and no calls without tools.
 */
export function openAnthropic(
  replies: readonly ProviderReply[],
  signed: Readonly<Record<string, string>> = {},
): Promise<ProviderServer<AnthropicBody>> {
  return openProviderServer(
    {
      complaint: (body) => complaint(body, signed),
      error: (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } }),
    },
    replies,
  )
}

function complaint(
  { messages, tools }: AnthropicBody,
  signed: Readonly<Record<string, string>>,
): string | undefined {
  const seen = new Set<string>()
  for (const [index, { role, content }] of messages.entries()) {
    if (messages[index + 1]?.role === role)
      return 'messages: roles must alternate between "user" and "assistant"'
    for (const { type, text, thinking, signature = '', id = '' } of content) {
      if (type === 'text' && text === '') return 'messages: text content blocks must be non-empty'
      if (type === 'thinking' && signed[signature] !== thinking) {
        return `messages.${index}: \`thinking\` blocks cannot be modified`
      }
      if (type !== 'tool_use') continue
      if (tools === undefined) return 'Requests which include `tool_use` blocks must define tools'
      if (!/^[a-zA-Z0-9_-]+$/.test(id)) return `tool_use.id: ${id} does not match the pattern`
      if (seen.has(id)) return 'messages: `tool_use` ids must be unique'
      seen.add(id)
    }
    const called = content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))
    const first = messages[index + 1]?.content.slice(0, called.length) ?? []
    const answered = first.flatMap(({ type, tool_use_id }) => (type === 'tool_result' ? [tool_use_id] : []))
    if (called.join() !== answered.join()) {
      return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${called}`
    }
  }
  return undefined
}
