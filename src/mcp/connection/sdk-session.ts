import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Progress,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { LinkedAbort, maxTimerMs, onAbort, type Stop } from '../../tool/abort.ts'
import { defined } from '../../tool/defined.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { throwLater } from '../../tool/throw-later.ts'
import { within } from '../../tool/time-limit.ts'
import { clientInfo } from './client-info.ts'
import { elicitationCapability } from './elicitation.ts'
import type { Endpoint } from './endpoint.ts'
import type { RequestWay } from './exchange.ts'
import type { McpConnectionEvents, McpError, McpRequestOptions, McpServerInfo } from './mcp-connection.ts'
import { noCommonVersion, refusedVersions } from './protocol-version.ts'
import { ReleasedFetch } from './released-fetch.ts'
import { safely } from './safely.ts'
import { readSdkFault } from './sdk-fault.ts'
import { SdkProtocol } from './sdk-protocol.ts'
import { readServerInfo } from './server-info.ts'
import { answerQuestion } from './server-questions.ts'
import { isAboutSession, sessionIdMissing } from './session-fault.ts'
import { keepListening } from './standing-stream.ts'
import type { WireMessage } from './wire-message.ts'

export interface SessionOptions {
  readonly endpoint: Endpoint
  readonly authProvider?: unknown
  readonly timeoutMs: number
  readonly fetch?: typeof fetch | undefined
  readonly elicit?: McpConnectionEvents['elicit']
  toolsChanged(): void
  lost(error: Error): void
  /** The server said on its own stream that it does not know this session any more. */
  sessionLost(session: SdkSession): void
}

export interface SessionRequest {
  readonly stop: LinkedAbort
  readonly way?: RequestWay
  readonly onProgress?: McpRequestOptions['onProgress']
}

/** From `initialize` until the server forgets it, or it is ended. */
export class SdkSession {
  readonly #options: SessionOptions
  readonly #protocol = new SdkProtocol()
  readonly #fetch: ReleasedFetch
  readonly #transport: StreamableHTTPClientTransport
  readonly #listening = new LinkedAbort(undefined)
  #server: McpServerInfo | undefined
  #pending = 0
  #isRetired = false

  private constructor(options: SessionOptions) {
    const { endpoint, authProvider, timeoutMs, fetch } = options
    this.#options = options
    this.#fetch = new ReleasedFetch({
      endpoint,
      authorizes: authProvider !== undefined,
      timeoutMs,
      fetch,
      deliver: (message) => this.#transport.onmessage?.(message as JSONRPCMessage),
    })
    this.#transport = new StreamableHTTPClientTransport(endpoint.url, {
      fetch: this.#fetch.fetch,
      // By shape, as the options say: a type of the SDK in them would ship with the app.
      ...(authProvider === undefined ? {} : { authProvider: authProvider as OAuthClientProvider }),
    })
    this.#handleMessages()
  }

  /** @throws McpError; when `stop` aborts, its reason. */
  static async open(options: SessionOptions, stop: Stop): Promise<SdkSession> {
    const session = new SdkSession(options)
    // `initialize` must not be cancelled (MCP 2025-11-25, basic/utilities/cancellation): the connection is closed.
    const forget = onAbort(stop, () => void session.#close())
    try {
      // The SDK's own transport does not fit its own type with exact optional members.
      await session.#protocol.connect(session.#transport as Transport)
      await session.#initialize()
      return session
    } catch (error) {
      await session.#close()
      throw error
    } finally {
      forget()
    }
  }

  get server(): McpServerInfo {
    if (this.#server === undefined) throw new Error('The session is not open yet')
    return this.#server
  }

  /** Whether the server can lose it: one without an id is none. */
  get hasId(): boolean {
    return this.#transport.sessionId !== undefined
  }

  /** @throws McpError. Aborting it cancels the request; what is thrown then says nothing. */
  async request(
    method: string,
    params: JsonObject,
    { stop, onProgress, way }: SessionRequest,
  ): Promise<JsonObject> {
    let isSettled = false
    const onprogress = (progress: Progress) => {
      if (!isSettled) safely(() => onProgress?.(defined(progress)))
    }
    this.#pending += 1
    const id = this.#protocol.nextId
    if (way !== undefined) this.#fetch.ways.set(id, way)
    try {
      return await this.#protocol.ask(method, params, {
        signal: stop.signal,
        // The signal has the deadline.
        timeout: maxTimerMs,
        ...(onProgress === undefined ? {} : { onprogress }),
      })
    } catch (error) {
      throw this.#readFault(error)
    } finally {
      isSettled = true
      this.#fetch.ways.delete(id)
      this.#pending -= 1
      this.#closeIfUnused()
    }
  }

  /** No more requests will come: closes it when the last one is answered. The server has forgotten it already. */
  retire(): void {
    this.#isRetired = true
    this.#listening.abort()
    this.#closeIfUnused()
  }

  /** Ends it at the server, then here: what is open rejects. */
  async end(): Promise<void> {
    this.#listening.abort()
    // Servers may refuse (405, and some 400): then it ends when they forget it.
    // What gives the app's tokens and headers may never settle.
    await within(this.#transport.terminateSession(), endMs, undefined).catch(() => {})
    await this.#close()
  }

  async #initialize(): Promise<void> {
    const { endpoint, elicit } = this.#options
    const { url } = endpoint
    const stop = new LinkedAbort(undefined)
    const params = {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: elicit === undefined ? {} : { elicitation: elicitationCapability },
      clientInfo,
    }
    const result = await this.request('initialize', params, { stop }).catch((error) => {
      const theirs = refusedVersions(error)
      throw theirs === undefined ? error : noCommonVersion(url, theirs, SUPPORTED_PROTOCOL_VERSIONS)
    })
    const server = readServerInfo(result)
    const { protocolVersion } = server
    if (!SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)) {
      throw noCommonVersion(url, protocolVersion === '' ? [] : [protocolVersion], SUPPORTED_PROTOCOL_VERSIONS)
    }
    this.#server = server
    this.#transport.setProtocolVersion(protocolVersion)
    try {
      await this.#protocol.notification({ method: 'notifications/initialized' })
    } catch (error) {
      throw isAboutSession(error) && !this.hasId ? sessionIdMissing(url, error) : this.#readFault(error)
    }
    this.#listen()
  }

  #readFault(error: unknown): McpError {
    const { url } = this.#options.endpoint
    const fault = readSdkFault(url, error, this.#fetch.authorizes)
    const isIdMissing =
      this.#server !== undefined && !this.hasId && isAboutSession(fault) && /session/i.test(fault.message)
    return isIdMissing ? sessionIdMissing(url, fault) : fault
  }

  #handleMessages(): void {
    const { elicit, toolsChanged } = this.#options
    this.#protocol.fallbackNotificationHandler = async ({ method }) => {
      if (method === 'notifications/tools/list_changed') safely(toolsChanged)
    }
    this.#protocol.fallbackRequestHandler = ({ method, params }, { signal, requestId }) => {
      const follow = this.#fetch.stopOf(requestId)
      return answerQuestion({ method, params: (params ?? {}) as JsonObject, signal, follow }, elicit)
    }
  }

  #listen(): void {
    const { endpoint, toolsChanged, lost, sessionLost } = this.#options
    keepListening({
      endpoint,
      stop: this.#listening,
      headers: () => this.#headers(),
      take: (message: WireMessage) => this.#fetch.take(message),
      missed: () => safely(toolsChanged),
      lost: (error) => safely(() => lost(error)),
      sessionLost: () => sessionLost(this),
    }).catch(throwLater)
  }

  /** As the SDK makes them for its own streams. */
  async #headers(): Promise<Headers> {
    const { sessionId, protocolVersion } = this.#transport
    const provider = this.#options.authProvider as Pick<OAuthClientProvider, 'tokens'> | undefined
    const token = (await provider?.tokens())?.access_token
    const headers = new Headers()
    if (sessionId !== undefined) headers.set('mcp-session-id', sessionId)
    if (protocolVersion !== undefined) headers.set('mcp-protocol-version', protocolVersion)
    if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
    return headers
  }

  #closeIfUnused(): void {
    if (this.#isRetired && this.#pending === 0) void this.#close()
  }

  async #close(): Promise<void> {
    this.#listening.abort()
    await this.#protocol.close()
  }
}

/** Longer than this nobody who closes a client waits for the server. In milliseconds. */
const endMs = 3_000
