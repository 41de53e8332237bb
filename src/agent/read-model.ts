import type { CallRequest } from '../execution/tool-result.ts'
import { stopped, untilAborted } from '../tool/abort.ts'
import type { ModelAdapter, ModelFinish, ModelRequest, Usage } from './model-adapter.ts'

/** One whole message of a model. */
export interface ModelMessage {
  readonly text: string
  readonly calls: readonly CallRequest[]
  readonly finish: ModelFinish
  readonly usage: Usage
}

/**
 * Reads one message from a model and tells its text as it comes. Returns what is there when the signal
 * aborts, without the calls: a half-read message must not make anything run.
 */
export async function readModel(
  model: ModelAdapter,
  request: ModelRequest,
  onText: (text: string) => void,
): Promise<ModelMessage | { readonly aborted: true; readonly text: string }> {
  let text = ''
  const calls: CallRequest[] = []
  let finish: ModelFinish = 'other'
  let usage: Usage = { inputTokens: 0, outputTokens: 0 }
  if (request.signal.aborted) return { aborted: true, text }
  const events = model.stream(request)[Symbol.asyncIterator]()
  while (true) {
    // An adapter that ignores its signal must not keep the run alive.
    const next = await untilAborted(events.next(), request.signal)
    if (next === stopped) {
      void events.return?.()?.catch(() => {})
      return { aborted: true, text }
    }
    if (next.done) return { text, calls, finish, usage }
    const event = next.value
    if (event.type === 'text-delta') {
      text += event.text
      onText(event.text)
    } else if (event.type === 'call') {
      calls.push({
        name: event.name,
        input: event.input,
        ...(event.id === undefined || event.id === '' ? {} : { providerId: event.id }),
      })
    } else if (event.type === 'finish') {
      finish = event.reason
      usage = event.usage ?? usage
    }
  }
}
