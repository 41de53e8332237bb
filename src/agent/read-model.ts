import { stopped, untilAborted } from '../tool/abort.ts'
import type { ModelAdapter, ModelEvent, ModelRequest } from './model-adapter.ts'
import { type MessageListener, type ModelMessage, SpokenMessage } from './spoken-message.ts'

/**
 * Reads one message from a model and tells of it as it comes. Gives what is there by then when the signal aborts or
 * the model fails.
 */
export async function readModel(
  model: ModelAdapter,
  request: ModelRequest,
  listener: MessageListener,
): Promise<ModelMessage> {
  const { signal } = request
  const message = new SpokenMessage(listener)
  let events: AsyncIterator<ModelEvent> | undefined
  const read = async () => {
    events = model.stream(request)[Symbol.asyncIterator]()
    for (let next = await events.next(); !next.done && !signal.aborted; next = await events.next()) {
      message.add(next.value)
    }
  }
  let cause: unknown
  try {
    // An adapter that ignores its signal must not keep the run alive. Asked once, not for each event: most are short.
    if (!signal.aborted && (await untilAborted(read(), signal)) !== stopped) return message.end()
    cause = signal.reason
  } catch (error) {
    cause = error
  }
  void events?.return?.()?.catch(() => {})
  return message.end({ cause })
}
