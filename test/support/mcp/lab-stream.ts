import type { ServerResponse } from 'node:http'

/** Server-sent events of one POST or of the GET of a session; with an event store they can be read again. */
export class LabStream {
  readonly #id: string
  readonly #stored: boolean
  readonly #events: string[] = []
  #response: ServerResponse | undefined
  #over = false

  constructor(id: string, stored: boolean) {
    this.#id = id
    this.#stored = stored
  }

  /** Whether a client reads it now. */
  get isOpen(): boolean {
    return this.#response !== undefined && !this.#response.destroyed && !this.#response.writableEnded
  }

  /** The stream that an event id belongs to. */
  static idOf(eventId: string): string {
    return eventId.slice(0, eventId.lastIndexOf('_'))
  }

  /** Sends to this response from now on: what came after the event, or a priming event. */
  attach(response: ServerResponse, headers: Record<string, string>, after?: string): void {
    this.#response = response
    response.writeHead(200, { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
    response.flushHeaders()
    if (after !== undefined) {
      const first = Number(after.slice(after.lastIndexOf('_') + 1)) + 1
      for (const event of this.#events.slice(first)) response.write(event)
      if (this.#over) response.end()
    } else if (this.#stored) this.write('')
  }

  /** One JSON-RPC message. */
  send(message: unknown): void {
    this.write(JSON.stringify(message))
  }

  /** One event with this text as its data. */
  write(data: string): void {
    const id = this.#stored ? `id: ${this.#id}_${this.#events.length}\n` : ''
    const event = `${id}data: ${data}\n\n`
    this.#events.push(event)
    if (this.isOpen) this.#response?.write(event)
  }

  /** Ends this connection, not the stream: with an event store the client may come back for the rest. */
  hangUp(retryMs?: number): void {
    if (retryMs !== undefined) this.#response?.write(`retry: ${retryMs}\n\n`)
    this.#response?.end()
  }

  /** Breaks the connection. */
  break(): void {
    this.#response?.destroy()
  }

  /** Nothing more will come. */
  end(): void {
    this.#over = true
    this.#response?.end()
  }
}
