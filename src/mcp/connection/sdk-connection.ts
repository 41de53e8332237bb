import { LinkedAbort } from '../../tool/abort.ts'
import { defined } from '../../tool/defined.ts'
import type { JsonObject } from '../../tool/json-value.ts'
import { latePart } from '../../tool/late-part.ts'
import { type Endpoint, endpointOf } from './endpoint.ts'
import { closedConnection } from './http-fault.ts'
import {
  type McpCallOptions,
  type McpConnection,
  type McpConnectionOptions,
  McpError,
  type McpList,
  type McpListLimits,
  type McpRequestOptions,
  type McpServerInfo,
} from './mcp-connection.ts'
import { withQuietZod } from './quiet-zod.ts'
import { readList } from './read-list.ts'
import { countedFromStart, withDeadline } from './request-deadline.ts'
import { safely } from './safely.ts'
import type { SdkSession, SessionRequest } from './sdk-session.ts'
import { isAboutSession } from './session-fault.ts'
import { shownUrl } from './shown-url.ts'

const sdk = latePart(async () => {
  const { SdkSession } = await withQuietZod(() => import('./sdk-session.ts'))
  return { SdkSession }
})

/**
 * Connects to a server over Streamable HTTP, with `@modelcontextprotocol/sdk` 1: revisions 2024-10-07 to 2025-11-25.
 *
 * @throws McpError that says why not; the reason of `options.signal` when it aborts.
 */
export async function openMcpConnection(options: McpConnectionOptions): Promise<McpConnection> {
  const endpoint = endpointOf(options)
  const connection = new SdkConnection(options, endpoint)
  try {
    await connection.open(options.signal)
    return connection
  } catch (error) {
    endpoint.close()
    throw error
  }
}

/** One server; the session with it may change. */
class SdkConnection implements McpConnection {
  readonly reportsStart = true
  readonly #options: McpConnectionOptions
  readonly #endpoint: Endpoint
  #session: SdkSession | undefined
  #renewal: Promise<SdkSession> | undefined
  #closing: Promise<void> | undefined
  readonly #closed = new LinkedAbort(undefined)

  constructor(options: McpConnectionOptions, endpoint: Endpoint) {
    this.#options = options
    this.#endpoint = endpoint
  }

  get server(): McpServerInfo {
    if (this.#session === undefined) throw new Error('The connection is not open yet')
    return this.#session.server
  }

  async open(signal?: AbortSignal): Promise<void> {
    this.#session = await this.#newSession(signal)
  }

  listTools(limits: McpListLimits): Promise<McpList> {
    return this.#list('tools/list', 'tools', limits)
  }

  listResources(limits: McpListLimits): Promise<McpList> {
    return this.#list('resources/list', 'resources', limits)
  }

  listResourceTemplates(limits: McpListLimits): Promise<McpList> {
    return this.#list('resources/templates/list', 'resourceTemplates', limits)
  }

  listPrompts(limits: McpListLimits): Promise<McpList> {
    return this.#list('prompts/list', 'prompts', limits)
  }

  callTool(name: string, input: JsonObject, options: McpCallOptions): Promise<JsonObject> {
    return this.#ask('tools/call', { name, arguments: input }, options)
  }

  readResource(uri: string, options?: McpRequestOptions): Promise<JsonObject> {
    return this.#ask('resources/read', { uri }, { ...options, idempotent: true })
  }

  getPrompt(
    name: string,
    input: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<JsonObject> {
    return this.#ask('prompts/get', { name, arguments: input }, { ...options, idempotent: true })
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    this.#closed.abort(closedConnection(this.#options.url))
    await this.#session?.end()
    this.#endpoint.close()
  }

  get #current(): SdkSession {
    if (this.#session === undefined || this.#closing !== undefined) throw closedConnection(this.#options.url)
    return this.#session
  }

  #list(method: string, key: string, limits: McpListLimits): Promise<McpList> {
    return readList(key, limits, (params, stop) =>
      this.#ask(method, params, { signal: stop.signal, idempotent: true }),
    )
  }

  #ask(method: string, params: JsonObject, ask: McpCallOptions): Promise<JsonObject> {
    const { url, timeoutMs } = this.#options
    const { signal, timeoutMs: own = timeoutMs } = ask
    return withDeadline(`"${method}" at ${shownUrl(url)}`, { signal, timeoutMs: own }, (stop) => {
      const way = ask.onStart && countedFromStart(stop, own, () => ask.onStart?.())
      return this.#try(method, params, ask, {
        stop,
        ...defined({ way, onProgress: ask.onProgress?.bind(ask) }),
      })
    })
  }

  async #try(
    method: string,
    params: JsonObject,
    ask: McpCallOptions,
    options: SessionRequest,
  ): Promise<JsonObject> {
    const { stop } = options
    const tried = { renewal: false, repeat: !ask.idempotent }
    for (;;) {
      const session = this.#current
      try {
        return await session.request(method, params, options)
      } catch (error) {
        if (stop.aborted) throw error
        // With these statuses a server says that it has not run it.
        if (session.hasId && isAboutSession(error)) {
          if (tried.renewal) throw sessionLost(this.#options.url, error, ask.idempotent && tried.repeat)
          tried.renewal = true
          await this.#renew(session)
          await ask.recheck?.()
          // Who waited for it has gone meanwhile.
          if (stop.aborted) throw error
        } else if (isBroken(error) && !tried.repeat) tried.repeat = true
        else throw error
      }
    }
  }

  /** Another session in place of the one that the server has forgotten: one for all who find that out. */
  #renew(forgotten: SdkSession): Promise<SdkSession> {
    const current = this.#current
    if (current !== forgotten) return Promise.resolve(current)
    this.#renewal ??= this.#replace(forgotten).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #replace(forgotten: SdkSession): Promise<SdkSession> {
    const session = await this.#newSession(this.#closed.signal)
    this.#session = session
    forgotten.retire()
    // Whoever is there now may offer other tools.
    safely(() => this.#options.events.toolsChanged())
    return session
  }

  async #newSession(signal?: AbortSignal): Promise<SdkSession> {
    const { url, timeoutMs, authProvider, fetch, events } = this.#options
    return withDeadline(`"initialize" at ${shownUrl(url)}`, { signal, timeoutMs }, async (stop) => {
      const { SdkSession } = await sdk()
      const options = {
        ...{ endpoint: this.#endpoint, authProvider, timeoutMs, fetch },
        ...(events.elicit === undefined ? {} : { elicit: events.elicit.bind(events) }),
        toolsChanged: () => events.toolsChanged(),
        lost: (error: Error) => events.lost?.(error),
        sessionLost: (session: SdkSession) => this.#renewQuietly(session),
      }
      const session = await SdkSession.open(options, stop)
      // Nobody will have it.
      if (stop.aborted) void session.end()
      return session
    })
  }

  #renewQuietly(session: SdkSession): void {
    if (this.#closing !== undefined) return
    this.#renew(session).catch((error) => safely(() => this.#options.events.lost?.(error)))
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof McpError && (error.code === 'connection-lost' || error.code === 'unreachable')
}

function sessionLost(url: URL, cause: McpError, mayHaveRun: boolean): McpError {
  return new McpError(`${shownUrl(url)} forgot its session, and the new one too: ${cause.message}`, {
    code: 'session-lost',
    status: cause.status,
    mayHaveRun,
    cause,
  })
}
