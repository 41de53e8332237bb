import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { whatIsWrong } from './model-server-rules.ts'

/** What the server does with one request. */
export interface Reply {
  /** @default 200 */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What is sent, each as a piece of its own on the wire. */
  readonly pieces?: readonly (string | Uint8Array)[]
  /** What happens behind the last piece: the end, nothing more, or a broken connection. @default 'over' */
  readonly end?: 'over' | 'wait' | 'break'
}

/** A request that came. */
export interface SeenRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** The body as it came. */
  readonly text: string
  readonly body: Record<string, unknown> & { readonly messages: readonly Record<string, unknown>[] }
  /** Resolves when the client has closed the connection before the answer was over. */
  readonly left: Promise<void>
}

/**
 * A model server on loopback that says what it is told, one reply for each request. As OpenAI does, it answers 400
 * to a request that is not valid; such a request uses no reply up.
 */
export class ModelServer {
  readonly requests: SeenRequest[] = []
  readonly #replies: Reply[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#answer(request, response)
    })
  }

  /** A server for one test, which ends with it. */
  static async start(): Promise<ModelServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const started = new ModelServer(server)
    onTestFinished(() => started.close())
    return started
  }

  /** The address in front of `/chat/completions`. */
  get baseURL(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`
  }

  reply(...replies: readonly Reply[]): void {
    this.#replies.push(...replies)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes: Uint8Array[] = []
    for await (const piece of request) bytes.push(piece as Uint8Array)
    const text = Buffer.concat(bytes).toString('utf8')
    const body = JSON.parse(text) as SeenRequest['body']
    const left = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableEnded) resolve()
      })
    })
    this.requests.push({ url: request.url ?? '', headers: request.headers, text, body, left })
    const wrong = whatIsWrong(body)
    const reply = wrong === undefined ? (this.#replies.shift() ?? nothingToSay) : refusal(wrong)
    const { status = 200, headers = { 'content-type': 'text/event-stream' }, pieces = [], end } = reply
    response.writeHead(status, headers).flushHeaders()
    // Each piece gets a turn, so that it is read by itself.
    for (const piece of pieces) {
      await new Promise((resolve) => response.write(piece, resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (end === 'break') response.destroy()
    else if (end !== 'wait') response.end()
  }
}

const nothingToSay: Reply = { status: 500, pieces: ['The test gave no reply for this request.'] }

function refusal(message: string): Reply {
  return errorReply(400, { error: { message, type: 'invalid_request_error', param: null, code: null } })
}

/** An answer with an error status. */
export function errorReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers: { 'content-type': 'application/json', ...headers }, pieces: [text] }
}

/** Server-sent events with these chunks. Strings stand as they are. */
export function events(...chunks: readonly unknown[]): string[] {
  return chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`)
}

/** A chunk with one delta. */
export function delta(delta: unknown, finishReason: string | null = null): unknown {
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

/** A chunk with a piece of a call, in the short form in which the cases are written down. */
export function callDelta({ name, arguments: text, ...rest }: CallPiece): unknown {
  return delta({ tool_calls: [{ ...rest, type: 'function', function: { name, arguments: text } }] })
}

export interface CallPiece {
  readonly index?: number
  readonly id?: string | null
  readonly name?: string
  readonly arguments?: string
}

/** A whole answer of these deltas, with its finish reason and end marker. */
export function completion(deltas: readonly unknown[], finishReason = 'stop'): Reply {
  return { pieces: events(...deltas, delta({}, finishReason), '[DONE]') }
}
