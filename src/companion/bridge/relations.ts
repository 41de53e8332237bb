import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

type RequestId = string | number

/** A request, a notification or an answer, with what matters for where it belongs. */
interface Message {
  readonly id?: RequestId
  readonly method?: string
  readonly params?: {
    readonly _meta?: { readonly progressToken?: RequestId }
    readonly progressToken?: RequestId
    readonly requestId?: RequestId
  }
}

/**
 * Which request of the client a message of a stdio server belongs to. Over stdio nothing says so, and over HTTP each
 * message has to go out on the stream of one request, or on the one that belongs to none.
 */
export class Relations {
  readonly #pending = new Map<RequestId, RequestId | undefined>()

  /** Requests that have no answer yet. */
  get pending(): readonly RequestId[] {
    return [...this.#pending.keys()]
  }

  /** Takes note of what the client sends. */
  sent(message: JSONRPCMessage): void {
    const { id, method, params } = message as Message
    if (method === undefined) return
    if (id !== undefined) this.#pending.set(id, params?._meta?.progressToken)
    // A request that was cancelled gets no answer (MCP 2025-11-25, basic/utilities/cancellation).
    else if (method === 'notifications/cancelled' && params?.requestId !== undefined) {
      this.#pending.delete(params.requestId)
    }
  }

  /** Nobody waits for the answer any more; says whether somebody did. */
  settle(id: RequestId): boolean {
    return this.#pending.delete(id)
  }

  /**
   * Where a message that is no answer goes: to the stream of a request, to the stream of none (`'standing'`), to
   * nobody, or nowhere yet (`'later'`).
   */
  placeOf(
    message: JSONRPCMessage,
    isListening: boolean,
  ): { readonly request: RequestId } | 'standing' | 'later' | 'nobody' {
    const { id, method, params } = message as Message
    const { pending } = this
    if (method === 'notifications/progress') {
      const request = pending.find((request) => this.#pending.get(request) === params?.progressToken)
      return request === undefined ? 'nobody' : { request }
    }
    const last = pending.at(-1)
    // A question of the server belongs to the call that it works on, if there is only one that it can be.
    const isCertain = id !== undefined && pending.length === 1
    if (last !== undefined && (isCertain || !isListening)) return { request: last }
    return isListening ? 'standing' : 'later'
  }
}
