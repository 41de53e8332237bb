import { events, openProviderServer, type ProviderReply, type ProviderServer } from './provider-server.ts'

/** An item of an answer. */
export type Item =
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly summaries: readonly string[]
      readonly encrypted: string
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly callId: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: 'message'; readonly id: string; readonly text: string }

/**
 * A response as the Responses API streams it: https://platform.openai.com/docs/api-reference/responses-streaming, with
 * summaries of reasoning as in https://platform.openai.com/docs/guides/reasoning.
 */
export function openaiResponse(items: readonly Item[]): ProviderReply {
  const created = { id: 'resp_1', object: 'response', created_at: 1_764_000_000, model: 'gpt-5' }
  const all: object[] = [
    { type: 'response.created', response: { ...created, status: 'in_progress', output: [] } },
    { type: 'response.in_progress', response: { ...created, status: 'in_progress', output: [] } },
    ...items.flatMap(itemEvents),
    {
      type: 'response.completed',
      response: {
        ...{ ...created, status: 'completed', output: [], incomplete_details: null },
        usage: {
          ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 20 },
          ...{ output_tokens_details: { reasoning_tokens: 5 }, total_tokens: 30 },
        },
      },
    },
  ]
  return { body: events(all.map((value, sequence_number) => ({ ...value, sequence_number }))) }
}

function itemEvents(item: Item, output_index: number): readonly object[] {
  const { type, id } = item
  const added = (start: object) => ({
    type: 'response.output_item.added',
    output_index,
    item: { id, type, ...start },
  })
  const done = (end: object) => ({
    type: 'response.output_item.done',
    output_index,
    item: { id, type, ...end },
  })
  const at = { item_id: id, output_index }
  if (item.type === 'reasoning') {
    const summary = item.summaries.map((text) => ({ type: 'summary_text', text }))
    return [
      added({ summary: [], encrypted_content: '' }),
      ...summary.flatMap((part, summary_index) => [
        { type: 'response.reasoning_summary_part.added', ...at, summary_index, part: { ...part, text: '' } },
        { type: 'response.reasoning_summary_text.delta', ...at, summary_index, delta: part.text },
        { type: 'response.reasoning_summary_text.done', ...at, summary_index, text: part.text },
        { type: 'response.reasoning_summary_part.done', ...at, summary_index, part },
      ]),
      done({ summary, encrypted_content: item.encrypted }),
    ]
  }
  if (item.type === 'function_call') {
    const call = { call_id: item.callId, name: item.name }
    const half = Math.ceil(item.arguments.length / 2)
    const pieces = [item.arguments.slice(0, half), item.arguments.slice(half)].filter((piece) => piece !== '')
    return [
      added({ ...call, arguments: '', status: 'in_progress' }),
      ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...at, delta })),
      { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
      done({ ...call, arguments: item.arguments, status: 'completed' }),
    ]
  }
  const text = { type: 'output_text', text: item.text, annotations: [] }
  const place = { ...at, content_index: 0 }
  return [
    added({ role: 'assistant', status: 'in_progress', content: [] }),
    { type: 'response.content_part.added', ...place, part: { ...text, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: item.text },
    { type: 'response.output_text.done', ...place, text: item.text },
    { type: 'response.content_part.done', ...place, part: text },
    done({ role: 'assistant', status: 'completed', content: [text] }),
  ]
}

/** A request, as far as it is looked at. */
export interface ResponsesBody {
  readonly input: readonly SentItem[]
  readonly tools?: readonly object[]
  readonly store?: boolean
}

interface SentItem {
  readonly type?: string
  readonly role?: string
  readonly id?: string
  readonly call_id?: string
  readonly output?: unknown
}

/**
 * A server that keeps the rules of the Responses API: each call is answered, and one that came with reasoning stands
 * behind it, as an item or by its id (https://platform.openai.com/docs/guides/reasoning, "Keeping reasoning items in
 * context"). `reasoning` says which item each call came with, by its call id.
 */
export function openOpenAIResponses(
  replies: readonly ProviderReply[],
  reasoning: Readonly<Record<string, string>> = {},
): Promise<ProviderServer<ResponsesBody>> {
  return openProviderServer(
    {
      complaint: (body) => complaint(body, reasoning),
      error: (message) => ({ error: { message, type: 'invalid_request_error', param: 'input', code: null } }),
    },
    replies,
  )
}

function complaint(
  { input }: ResponsesBody,
  reasoning: Readonly<Record<string, string>>,
): string | undefined {
  const seen = new Set<string>()
  for (const [index, { type, id = '', call_id = '' }] of input.entries()) {
    seen.add(id)
    if (type !== 'function_call') continue
    const needed = reasoning[call_id]
    if (needed !== undefined && !seen.has(needed)) {
      return `Item '${id}' of type 'function_call' was provided without its required 'reasoning' item: '${needed}'.`
    }
    const answers = input
      .slice(index)
      .filter((later) => later.type === 'function_call_output' && later.call_id === call_id)
    if (answers.length !== 1) return `No tool output found for function call ${call_id}.`
  }
  return undefined
}
