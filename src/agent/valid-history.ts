import type { ModelTexts } from '../tool/model-texts.ts'
import { randomId } from '../tool/random-id.ts'
import type { AssistantMessage, Message, MessageCall, MessageResult, ToolMessage } from './message.ts'

/**
 * The conversation as every provider takes it: right behind a message with calls stand their results, one for each
 * call, in call order. A result that no call asked for is dropped; a call without one is given one that says that
 * it did not run, or may have. An id that was used before becomes another one, and a message in which a model said
 * nothing is left out. Given messages may come from storage, or from a page that was closed in the middle.
 */
export function validHistory(messages: readonly Message[], texts: ModelTexts): readonly Message[] {
  const valid: Message[] = []
  const used = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    if (message.role === 'user' || !message.calls?.length) {
      if (message.role === 'user' || !saysNothing(message)) valid.push(message)
      continue
    }
    const { results, ...rest } = resultsBehind(messages, index)
    const answered = message.calls.map((call) => resultOf(call, results, texts))
    const newIds = idsFor(message.calls, used)
    valid.push(newIds === undefined ? message : withIds(message, newIds), {
      ...rest,
      results: answered.map((result) => ({ ...result, callId: newIds?.get(result.callId) ?? result.callId })),
    })
  }
  return valid
}

/** Whether a message has nothing in it, as a model's answer may. Providers refuse it when it comes back. */
export function saysNothing({ text, parts = [] }: Omit<AssistantMessage, 'role'>): boolean {
  return text.trim() === '' && parts.length === 0
}

/** New ids where a conversation uses one again, as one that comes from elsewhere may. */
function idsFor(calls: readonly MessageCall[], used: Set<string>): ReadonlyMap<string, string> | undefined {
  const newIds = new Map(calls.filter(({ id }) => used.has(id)).map(({ id }) => [id, randomId('call')]))
  for (const { id } of calls) used.add(id)
  return newIds.size === 0 ? undefined : newIds
}

function withIds(message: AssistantMessage, newIds: ReadonlyMap<string, string>): AssistantMessage {
  const { calls = [], parts } = message
  const newId = (id: string) => newIds.get(id) ?? id
  return {
    ...message,
    calls: calls.map((call) => ({ ...call, id: newId(call.id) })),
    ...(parts && {
      parts: parts.map((part) => (part.type === 'call' ? { ...part, callId: newId(part.callId) } : part)),
    }),
  }
}

/** The results that follow a message, up to the next one with calls, and what else the messages with them hold. */
function resultsBehind(
  messages: readonly Message[],
  index: number,
): Omit<ToolMessage, 'results'> & { readonly results: ReadonlyMap<string, MessageResult> } {
  const results = new Map<string, MessageResult>()
  let behind: Omit<ToolMessage, 'results'> = { role: 'tool' }
  for (const message of messages.slice(index + 1)) {
    if (message.role === 'assistant' && message.calls?.length) break
    if (message.role !== 'tool') continue
    behind = { ...message, ...behind }
    for (const result of message.results) {
      // The first one counts, as it did for the model.
      if (!results.has(result.callId)) results.set(result.callId, result)
    }
  }
  return { ...behind, results }
}

function resultOf(
  { id, name }: MessageCall,
  results: ReadonlyMap<string, MessageResult>,
  texts: ModelTexts,
): MessageResult {
  return results.get(id) ?? { callId: id, name, text: texts.cancelled(name, true), outcome: 'cancelled' }
}
