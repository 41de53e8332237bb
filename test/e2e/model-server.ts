import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { whatIsWrong } from '../support/model-server-rules.ts'

/** What the server says to one request. */
export interface ModelReply {
  /** @default 200 */
  readonly status?: number
  /** What is said with a status that is none of success. */
  readonly message?: string
  /** The deltas of a streamed answer, each a piece of its own on the wire. */
  readonly deltas?: readonly object[]
  /** Whether the answer goes on for ever behind them. @default false */
  readonly hangs?: boolean
}

/** A request that was valid. */
export interface AskedRequest {
  readonly key: string | undefined
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools: readonly string[]
  /** Resolves when the client went away before the answer was over. */
  readonly left: Promise<void>
}

/**
 * A model server on loopback that streams to pages of any origin, one reply for each request. As OpenAI does, it
 * refuses a conversation that is not valid; `refused` has what was wrong.
 */
export class ModelServer {
  readonly asked: AskedRequest[] = []
  readonly refused: string[] = []
  readonly #replies: ModelReply[] = []
  readonly #server: Server = createServer((request, response) => void this.#answer(request, response))

  static async start(): Promise<ModelServer> {
    const started = new ModelServer()
    await new Promise<void>((resolve) => started.#server.listen(0, '127.0.0.1', resolve))
    return started
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  reply(...replies: readonly ModelReply[]): void {
    this.#replies.push(...replies)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-headers', 'authorization, content-type')
      response.writeHead(204).end()
      return
    }
    const reply = this.#hear(JSON.parse(await textOf(request)), request, response)
    const { status = 200, message = '', deltas = [], hangs = false } = reply
    if (status !== 200) {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: null } }))
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    for (const delta of deltas) await send(response, chunk(delta, null))
    if (hangs) return
    const reason = deltas.some((delta) => 'tool_calls' in delta) ? 'tool_calls' : 'stop'
    await send(response, chunk({}, reason))
    response.end('data: [DONE]\n\n')
  }

  #hear(body: WireBody, { headers }: IncomingMessage, response: ServerResponse): ModelReply {
    const wrong = whatIsWrong(body)
    if (wrong !== undefined) {
      this.refused.push(wrong)
      return { status: 400, message: wrong }
    }
    const left = new Promise<void>((resolve) => {
      response.on('close', () => {
        if (!response.writableEnded) resolve()
      })
    })
    const tools = (body.tools ?? []).map((tool) => tool.function.name)
    this.asked.push({ key: headers.authorization, messages: body.messages, tools, left })
    return this.#replies.shift() ?? { status: 500, message: 'The test gave no reply for this request.' }
  }
}

type WireBody = Record<string, unknown> & {
  readonly messages: AskedRequest['messages']
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of request) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces).toString('utf8')
}

// Each piece gets a moment, so that it comes alone.
async function send(response: ServerResponse, data: object): Promise<void> {
  response.write(`data: ${JSON.stringify(data)}\n\n`)
  await new Promise((resolve) => setTimeout(resolve, 5))
}

function chunk(delta: object, finishReason: string | null): object {
  return {
    ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  }
}

/** A text in pieces. */
export function saying(...pieces: readonly string[]): readonly object[] {
  return pieces.map((content) => ({ content }))
}

/** A call whose arguments come in pieces. */
export function calling(id: string, name: string, ...pieces: readonly string[]): readonly object[] {
  const head = { tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: '' } }] }
  return [head, ...pieces.map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }))]
}
