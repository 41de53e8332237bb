import type { ServerResponse } from 'node:http'
import type { LabRequest } from './lab-request.ts'

type Json = Readonly<Record<string, unknown>>

/** A tool of the lab server: what is listed, and what a call does. */
export interface LabTool {
  /** Goes out as it is: also what no server should send. */
  readonly definition: Json
  /** Returns the whole result; what it throws is a JSON-RPC error with its `code`. */
  call?(input: Json, call: LabCall): Json | Promise<Json>
}

/** What a tool of the lab can do while it is called. */
export interface LabCall {
  /** Aborts when the client sends `notifications/cancelled` for it. */
  readonly signal: AbortSignal
  readonly sessionId: string | undefined
  /** Sends a progress notification, when the client asked for them. */
  progress(progress: number, total?: number, message?: string): void
  /** Sends any message on the stream of this call. */
  send(message: unknown): void
  /** Asks the client, for example `elicitation/create`, and resolves to its result or rejects with its error. */
  ask(method: string, params: Json): Promise<Json>
  /** Breaks the connection of this call; with an event store the client may resume. */
  breakConnection(): void
  /** Ends the connection of this call politely, after a `retry:` field. */
  hangUp(retryMs?: number): void
}

/** How a lab server behaves. Without options: two pages of nothing odd, with sessions, CORS for all. */
export interface LabServerOptions {
  /** 0 is any that is free. @default 0 */
  readonly port?: number
  /** @default `echo`, `slow` and `fails` */
  readonly tools?: readonly LabTool[]
  /** Tools on one page of the list. @default all */
  readonly pageSize?: number
  /** How calls are answered. @default 'sse' */
  readonly answers?: 'sse' | 'json'
  /** @default true */
  readonly sessions?: boolean
  /** Events have ids and can be read again with `Last-Event-ID`. @default false */
  readonly eventStore?: boolean
  /** Refuses GET with this status. */
  readonly getStatus?: number
  /** Refuses DELETE with this status. */
  readonly deleteStatus?: number
  /** Of the answer to a session id that is not known. @default 404 */
  readonly lostStatus?: number
  /** false sends no CORS header at all. */
  readonly cors?: false | LabCors
  /** What `initialize` answers. @default what the client asks for */
  readonly protocolVersion?: string
  /** @default tools with listChanged, resources, prompts */
  readonly capabilities?: Json
  readonly instructions?: string
  readonly resources?: readonly Json[]
  readonly resourceTemplates?: readonly Json[]
  readonly prompts?: readonly Json[]
  /** Result by method, in place of the lab's own: for hostile answers. Return undefined for the usual one. */
  readonly answer?: Readonly<Record<string, (params: Json, request: LabRequest) => unknown>>
  /** Sees each HTTP request first; true means that it has answered, or will. */
  handle?(request: LabRequest, response: ServerResponse): boolean | Promise<boolean>
}

/** What a lab server tells browsers. */
export interface LabCors {
  /** @default '*' */
  readonly origin?: string
  /** @default 'mcp-session-id, www-authenticate' */
  readonly exposeHeaders?: string
  /** @default all that MCP needs */
  readonly allowHeaders?: string
}
