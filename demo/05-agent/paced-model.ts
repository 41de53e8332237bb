import type { ModelAdapter } from 'offstage'

/** Time between two words, or two pieces of anything else that comes in pieces. In milliseconds. */
const paceMs = 35

/** Lets a model speak as slowly as a real one, so that its text can be read as it comes. */
export function paced(model: ModelAdapter): ModelAdapter {
  return {
    name: model.name,
    async *stream(request) {
      for await (const event of model.stream(request)) {
        if (event.type.endsWith('-delta')) await new Promise((resolve) => setTimeout(resolve, paceMs))
        request.signal.throwIfAborted()
        yield event
      }
    },
  }
}
