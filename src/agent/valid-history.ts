import type { ModelTexts } from '../tool/model-texts.ts'
import type { Message, MessageCall, MessageResult } from './message.ts'

/**
 * The conversation as every provider takes it: right behind a message with calls stand their results, one for each
 * call, in call order. A result that no call asked for is dropped; a call without one is given one that says that
 * it did not run, or may have. Given messages may come from storage, or from a page that was closed in the middle.
 */
export function validHistory(messages: readonly Message[], texts: ModelTexts): readonly Message[] {
  const valid: Message[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') continue
    valid.push(message)
    if (message.role !== 'assistant' || !message.calls?.length) continue
    const results = resultsBehind(messages, index)
    valid.push({ role: 'tool', results: message.calls.map((call) => resultOf(call, results, texts)) })
  }
  return valid
}

/** The results that follow a message, up to the next one with calls. */
function resultsBehind(messages: readonly Message[], index: number): ReadonlyMap<string, MessageResult> {
  const results = new Map<string, MessageResult>()
  for (const message of messages.slice(index + 1)) {
    if (message.role === 'assistant' && message.calls?.length) break
    if (message.role !== 'tool') continue
    for (const result of message.results) {
      // The first one counts, as it did for the model.
      if (!results.has(result.callId)) results.set(result.callId, result)
    }
  }
  return results
}

function resultOf(
  { id, name }: MessageCall,
  results: ReadonlyMap<string, MessageResult>,
  texts: ModelTexts,
): MessageResult {
  return results.get(id) ?? { callId: id, name, text: texts.cancelled(name, true), outcome: 'cancelled' }
}
