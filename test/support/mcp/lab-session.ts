import type { LabOptions } from './lab-answers.ts'
import { answerOf } from './lab-answers.ts'
import type { LabCall } from './lab-options.ts'
import type { LabMessage, LabRequest } from './lab-request.ts'
import type { LabStream } from './lab-stream.ts'

/** Where the answer to one request goes. `stream` is missing when it is sent as JSON. */
export interface LabAnswer {
  readonly stream?: LabStream | undefined
  finish(message: unknown): void
}

/** One session, or all that a server without sessions knows. */
export class LabSession {
  readonly id: string | undefined
  readonly streams = new Map<string, LabStream>()
  /** The stream of the GET, while there is one. */
  standing: LabStream | undefined
  readonly #calls = new Map<string | number, AbortController>()
  readonly #asked = new Map<string, { resolve(message: LabMessage): void }>()
  #askedCount = 0

  constructor(id: string | undefined) {
    this.id = id
  }

  /** Calls that are not answered yet. */
  get runningCalls(): number {
    return this.#calls.size
  }

  /** A notification of the client, or its answer to what a tool asked. */
  take(message: LabMessage): void {
    if (message.method === 'notifications/cancelled') {
      this.#calls.get(message.params?.requestId as string | number)?.abort()
    } else if (message.method === undefined) {
      this.#asked.get(String(message.id))?.resolve(message)
      this.#asked.delete(String(message.id))
    }
  }

  /** Answers a request, unless it is cancelled before: then nothing is sent and the stream stays open. */
  async run(request: LabRequest, options: LabOptions, answer: LabAnswer): Promise<void> {
    const message = request.message as LabMessage & { readonly id: string | number }
    const controller = new AbortController()
    this.#calls.set(message.id, controller)
    const call = this.#callOf(message, controller.signal, answer.stream)
    const base = { jsonrpc: '2.0', id: message.id }
    try {
      const result = await answerOf(request, options, call)
      if (!controller.signal.aborted) answer.finish({ ...base, result })
    } catch (error) {
      const { code = -32603, message: text } = error as Error & { code?: number }
      if (!controller.signal.aborted) answer.finish({ ...base, error: { code, message: text } })
    } finally {
      this.#calls.delete(message.id)
    }
  }

  /** Breaks all its connections. */
  drop(): void {
    for (const stream of this.streams.values()) stream.break()
    this.standing?.break()
    this.standing = undefined
  }

  #callOf(message: LabMessage, signal: AbortSignal, stream: LabStream | undefined): LabCall {
    const meta = message.params?._meta as { progressToken?: unknown } | undefined
    const send = (sent: unknown) => (stream ?? this.standing)?.send(sent)
    const notify = (params: Readonly<Record<string, unknown>>) =>
      send({ jsonrpc: '2.0', method: 'notifications/progress', params })
    return {
      signal,
      sessionId: this.id,
      send,
      progress: (progress, total, text) => {
        const { progressToken } = meta ?? {}
        if (progressToken !== undefined) notify({ progressToken, progress, total, message: text })
      },
      ask: async (method, params) => {
        const id = `asked-${++this.#askedCount}`
        const answered = new Promise<LabMessage>((resolve) => this.#asked.set(id, { resolve }))
        send({ jsonrpc: '2.0', id, method, params })
        const { result, error } = await answered
        if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
        return result ?? {}
      },
      breakConnection: () => stream?.break(),
      hangUp: (retryMs) => stream?.hangUp(retryMs),
    }
  }
}
