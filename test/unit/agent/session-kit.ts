import type { Agent, ModelAdapter, ModelEvent, ModelRequest, SessionSnapshot } from 'offstage'
import { AgentSession, type SessionOptions } from 'offstage'

/** A session, and all snapshots that a listener was told of. */
export function follow(agent: Agent, options: Omit<SessionOptions, 'agent'> = {}) {
  const session = new AgentSession({ agent, ...options })
  const told: SessionSnapshot[] = []
  const unsubscribe = session.subscribe((snapshot) => told.push(snapshot))
  return { session, told, unsubscribe }
}

/** `role: text` of each message; of a tool message the texts of its results. */
export function lines({ messages }: SessionSnapshot): readonly string[] {
  return messages.map((message) => {
    const text =
      message.role === 'tool' ? message.results.map((result) => result.text).join(' | ') : message.text
    return `${message.role}: ${text}`
  })
}

/** Resolves once the snapshot is as it is waited for. */
export function until(
  session: AgentSession,
  isSo: (snapshot: SessionSnapshot) => boolean,
): Promise<SessionSnapshot> {
  return new Promise((resolve) => {
    const unsubscribe = session.subscribe((snapshot) => {
      if (!isSo(snapshot)) return
      // It may be so at once, before there is a way to stop listening.
      queueMicrotask(() => unsubscribe())
      resolve(snapshot)
    })
  })
}

/** A model that says what the test hands it, when the test hands it. */
export class HandedModel implements ModelAdapter {
  readonly name: string = 'handed'
  readonly requests: ModelRequest[] = []
  #queue: ModelEvent[] = []
  #wake = () => {}

  say(...events: readonly ModelEvent[]): void {
    this.#queue.push(...events)
    this.#wake()
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    this.requests.push({ ...request, messages: [...request.messages] })
    while (true) {
      for (const event of this.#queue.splice(0)) {
        yield event
        if (event.type === 'finish') return
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        request.signal.addEventListener('abort', () => resolve(), { once: true })
      })
      request.signal.throwIfAborted()
    }
  }
}
