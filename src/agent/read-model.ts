import { onAbort } from '../tool/abort.ts'
import type { ModelAdapter, ModelEvent, ModelRequest } from './model-adapter.ts'
import { type MessageListener, type ModelMessage, SpokenMessage } from './spoken-message.ts'

/**
 * Reads one message from a model and tells of it as it comes. Gives what is there by then when the signal aborts or
 * the model fails.
 */
export function readModel(
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
  return new Promise((resolve) => {
    const breakOff = (cause: unknown) => {
      void events?.return?.()?.catch(() => {})
      resolve(message.end({ cause }))
    }
    // An adapter that ignores its signal must not keep the run alive. Asked once, not for each event: most are short.
    const release = onAbort(signal, () => breakOff(signal.reason))
    if (signal.aborted) return
    read().then(
      () => {
        release()
        resolve(message.end())
      },
      (cause) => {
        // A rejection behind the abort says nothing more.
        if (signal.aborted) return
        release()
        breakOff(cause)
      },
    )
  })
}
