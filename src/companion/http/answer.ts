import type { ServerResponse } from 'node:http'

/** Why a request was refused, for programs; the page's side reads it. */
export type RefusalCode =
  | 'host'
  | 'origin'
  | 'token'
  | 'code-wrong'
  | 'code-used'
  | 'code-expired'
  | 'too-many-tries'
  | 'body-too-large'
  | 'not-json'
  | 'not-found'
  | 'method'
  | 'too-many-sessions'
  | 'failed'

/** What a refused request is answered with. */
export interface Refusal {
  readonly status: number
  readonly code: RefusalCode
  /** For a person: what is wrong, and what helps. */
  readonly message: string
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

/**
 * Refuses a request, and reads no more of it. The body has the shape of a JSON-RPC error, so that any MCP client can
 * show the message.
 */
export function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  // A body that is not read to its end would be taken for the next request.
  response.setHeader('connection', 'close')
  answerJson(response, status, {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message, data: { code } },
  })
}
