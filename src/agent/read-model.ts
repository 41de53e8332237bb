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
  return new Promise((resolve) => {
    let events: AsyncIterator<ModelEvent> | undefined
    const breakOff = (cause: unknown) => {
      void events?.return?.()?.catch(() => {})
      resolve(message.end({ cause }))
    }
    // An adapter that ignores its signal must not keep the run alive. Asked once, not for each event: most are short.
    const release = onAbort(signal, () => breakOff(signal.reason))
    if (signal.aborted) return
    const fail = (cause: unknown) => {
      // A rejection behind the abort says nothing more.
      if (signal.aborted) return
      release()
      breakOff(cause)
    }
    // By hand and not with `await`, which takes a multiple of the memory: an event may be a few letters.
    const take = (next: IteratorResult<ModelEvent> | undefined) => {
      try {
        if (signal.aborted) return
        if (next?.done) {
          release()
          resolve(message.end())
          return
        }
        if (next !== undefined) message.add(next.value)
        events ??= model.stream(request)[Symbol.asyncIterator]()
        Promise.resolve(events.next()).then(take, fail)
      } catch (cause) {
        fail(cause)
      }
    }
    take(undefined)
  })
}
