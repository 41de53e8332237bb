import type { JsonObject } from '../../tool/json-value.ts'

/** What one call over a connection is given. */
export interface McpRequestOptions {
  /** Aborting it cancels the request at the server, frees its connection and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** In milliseconds. @default the connection's */
  readonly timeoutMs?: number | undefined
  /**
   * Called right before the request is sent, each time that it is: it may have waited for one of the few connections
   * that a browser keeps to one origin. Its timeout counts from then on. A request that ends without it certainly never
   * ran.
   */
  onStart?(): void
  /** Called for each progress notification of this request, in order; never after it settled. */
  onProgress?(progress: McpProgress): void
}

/** What a call of a tool is given. */
export interface McpCallOptions extends McpRequestOptions {
  /** Whether it may run twice. */
  readonly idempotent: boolean
  /**
   * Called when the session was lost, before the call is made again over a new one: whoever answers there may offer
   * something else under the name. What it throws ends the call, which has not run then.
   */
  recheck?(): Promise<void>
}

/** How far a server is with a request. */
export interface McpProgress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** All that was read of a list, and why it is not all of it, if it is not. */
export interface McpList {
  /** As they came: each is an object, and nothing else about them is checked. */
  readonly items: readonly JsonObject[]
  /** Why reading ended early: too many pages or items, too long, a cursor that came again. */
  readonly incomplete?: string
}

/** What a server wants the person to fill in, or to open. */
export interface ElicitationRequest {
  readonly message: string
  /** A form: a flat JSON Schema of what is asked for. */
  readonly requestedSchema?: JsonObject
  /** An address to open, instead of a form. https only, and only after a click. */
  readonly url?: string
  readonly elicitationId?: string
  readonly signal: AbortSignal
}

/** What became of it, in the protocol's words. */
export interface ElicitationAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: JsonObject
}

/** What a connection tells its owner. */
export interface McpConnectionEvents {
  /** The server's list of tools may be another one. May come in storms. */
  toolsChanged(): void
  /** Absent: elicitation is not offered to the server. */
  elicit?(request: ElicitationRequest): Promise<ElicitationAnswer>
  /** The server cannot be reached any more, or can again: for the status. */
  lost?(error: Error): void
}

/**
 * One server, as a client sees it: what every adapter of an SDK must do. Whatever it stands on handles what
 * notes call the traps of the protocol in browsers: connections that leak when a call is cancelled, sessions that are
 * lost, streams that die, pages of lists.
 */
export interface McpConnection {
  /** What the server said of itself when it was connected. */
  readonly server: McpServerInfo
  /** Whether requests call `onStart`. When absent, one has started by being made. */
  readonly reportsStart?: boolean
  listTools(limits: McpListLimits): Promise<McpList>
  /**
   * Calls a tool under the name that the server gave it. Resolves to the result as it came: also with `isError`.
   * A session that is lost is opened again once, silently; the call is made again only when it cannot have run, or
   * when it may run twice (`idempotent`), and never before `recheck`.
   */
  callTool(name: string, input: JsonObject, options: McpCallOptions): Promise<JsonObject>
  listResources(limits: McpListLimits): Promise<McpList>
  listResourceTemplates(limits: McpListLimits): Promise<McpList>
  readResource(uri: string, options?: McpRequestOptions): Promise<JsonObject>
  listPrompts(limits: McpListLimits): Promise<McpList>
  getPrompt(
    name: string,
    input: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<JsonObject>
  /** Ends the session at the server (DELETE), then everything that is open. Never rejects; may be called twice. */
  close(): Promise<void>
}

export interface McpServerInfo {
  readonly name: string
  readonly version: string
  readonly protocolVersion: string
  readonly instructions?: string
  readonly capabilities: JsonObject
}

/** Where reading a list ends. */
export interface McpListLimits {
  readonly maxPages: number
  readonly maxItems: number
  /** For all pages together, in milliseconds. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Where to connect, and how. */
export interface McpConnectionOptions {
  readonly url: URL
  /** Read anew for each request. */
  readonly headers?: () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Gets and renews access tokens; the SDK's `OAuthClientProvider` by shape (src/mcp/oauth makes one). */
  readonly authProvider?: unknown
  /** Of one request, in milliseconds. */
  readonly timeoutMs: number
  readonly fetch?: typeof fetch
  readonly events: McpConnectionEvents
  readonly signal?: AbortSignal | undefined
}

/** Why a server could not be used, for programs. */
export type McpErrorCode =
  /** Nothing answered: it is not running, or the network does not reach it. */
  | 'unreachable'
  /** It answers, but not to pages of this origin. */
  | 'cors'
  /** The page's own Content Security Policy forbids the address. */
  | 'csp'
  /** The browser keeps pages from this network until the person allows it. */
  | 'local-network'
  | 'redirect'
  | 'needs-authorization'
  /** It speaks no version of the protocol that this client speaks. */
  | 'protocol-version'
  | 'protocol'
  | 'timeout'
  | 'session-lost'
  | 'connection-lost'
  | 'http'
  | 'closed'
  /** The server answered the request with an error of its own. */
  | 'server'

/** A server that could not be used: the message says which, why, and what helps. Recognise it by `name` and `code`. */
export class McpError extends Error {
  readonly code: McpErrorCode
  /** Of the answer, when there was one. */
  readonly status?: number
  /** False only when the request certainly never ran at the server. */
  readonly mayHaveRun: boolean

  constructor(
    message: string,
    options: {
      readonly code: McpErrorCode
      readonly status?: number | undefined
      readonly mayHaveRun?: boolean
      readonly cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'McpError'
    this.code = options.code
    this.mayHaveRun = options.mayHaveRun ?? true
    if (options.status !== undefined) this.status = options.status
  }
}
