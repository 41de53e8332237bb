import { stopped, untilAborted } from '../tool/abort.ts'
import type { CallRequest } from '../tool/tool-result.ts'
import type { ModelAdapter, ModelFinish, ModelRequest, Usage } from './model-adapter.ts'

/** One whole message of a model. */
export interface ModelMessage {
  readonly text: string
  readonly calls: readonly CallRequest[]
  readonly finish: ModelFinish
  readonly usage: Usage
  /** Set when the signal aborted before the end; the calls are then left out. */
  readonly aborted?: boolean
}

/**
 * Reads one message from a model and tells its text as it comes. Returns what is there when the signal
 * aborts, without the calls: a half-read message must not make anything run.
 */
export async function readModel(
  model: ModelAdapter,
  request: ModelRequest,
  onText: (text: string) => void,
): Promise<ModelMessage> {
  const { signal } = request
  const calls: CallRequest[] = []
  let message: ModelMessage = { text: '', calls, finish: 'other', usage: { inputTokens: 0, outputTokens: 0 } }
  const half = (): ModelMessage => ({ ...message, calls: [], aborted: true })
  if (signal.aborted) return half()
  const events = model.stream(request)[Symbol.asyncIterator]()
  while (true) {
    // An adapter that ignores its signal must not keep the run alive.
    const next = await untilAborted(events.next(), signal)
    if (next === stopped) {
      void events.return?.()?.catch(() => {})
      return half()
    }
    if (next.done) return message
    const event = next.value
    if (event.type === 'text-delta') {
      message = { ...message, text: message.text + event.text }
      onText(event.text)
    } else if (event.type === 'call') {
      const { id, name, input } = event
      calls.push(id ? { name, input, providerId: id } : { name, input })
    } else if (event.type === 'finish') {
      message = { ...message, finish: event.reason, usage: event.usage ?? message.usage }
    }
  }
}
