import { linkedAbort, stopped, untilAborted } from '../tool/abort.ts'
import { now } from '../tool/clock.ts'
import { defined } from '../tool/defined.ts'
import { errorToData } from '../tool/error-data.ts'
import {
  type McpConnection,
  type McpConnectionEvents,
  type McpConnectionOptions,
  McpError,
  type McpErrorCode,
} from './connection/mcp-connection.ts'
import { isMcpError } from './is-mcp-error.ts'
import { LeasedConnection } from './leased-connection.ts'
import type { MCPStatus } from './mcp-status.ts'

/** After the first failure the next list tries again no sooner than this, in milliseconds; it doubles each time. */
const firstBackoffMs = 1_000
const maxBackoffMs = 60_000

/** A server that is lost is given up with these; after anything else the next call may well succeed. */
const lostBy: readonly (McpErrorCode | undefined)[] = [
  ...(['unreachable', 'cors', 'csp', 'local-network', 'redirect', 'needs-authorization'] as const),
  ...(['session-lost', 'closed', 'protocol-version'] as const),
]

/** Makes a connection. */
export type OpenConnection = (
  options: Pick<McpConnectionOptions, 'events' | 'signal'>,
) => Promise<McpConnection>

/** What a link needs of its owner. */
export interface LinkOwner {
  readonly open: OpenConnection
  /** Of connecting and the first reading together, in milliseconds. */
  readonly timeoutMs: number
  /** How messages call the server. */
  readonly label: string
  elicit?: McpConnectionEvents['elicit']
  /**
   * Reads all that must be there before the server is ready, and has so many milliseconds for it; gives what is done at
   * the moment in which it is.
   */
  load(connection: McpConnection, signal: AbortSignal, leftMs: number): Promise<() => void>
  toolsChanged(): void
  statusChanged(status: MCPStatus): void
}

/** The one connection to a server: made when it is needed, given up when it is lost, made again after a while. */
export class ServerLink {
  readonly #owner: LinkOwner
  #status: MCPStatus = { state: 'idle' }
  #leased: LeasedConnection | undefined
  #opening: { readonly done: Promise<void>; readonly startedAt: number } | undefined
  /** Of the connection that is there or being made: what an older one still says counts no more. */
  #life: AbortController | undefined
  #failures = 0

  constructor(owner: LinkOwner) {
    this.#owner = owner
  }

  get status(): MCPStatus {
    return this.#status
  }

  /**
   * Connects, unless it is connected.
   *
   * @throws {@link McpError} that says why not.
   */
  connect(): Promise<void> {
    if (this.#leased !== undefined) return Promise.resolve()
    if (this.#opening !== undefined) return this.#opening.done
    const life = new AbortController()
    this.#life = life
    // Who is told of the status may ask for the connection at once: it is this one.
    const done = Promise.resolve().then(() => this.#open(life))
    this.#opening = { done, startedAt: now() }
    this.#setStatus({ state: 'connecting' })
    return done
  }

  /** Connects if that is worth a try now, and waits for it no longer than so long after it began. Never rejects. */
  async ready(waitMs: number): Promise<void> {
    if (this.#opening === undefined && this.#mayTry()) this.connect().catch(() => {})
    if (this.#opening === undefined) return
    const { done, startedAt } = this.#opening
    const wait = linkedAbort(undefined)
    wait.startDeadline(Math.max(startedAt + waitMs - now(), 1), 'connecting')
    await untilAborted(
      done.catch(() => {}),
      wait,
    )
    wait.release()
  }

  /**
   * Uses the connection. A failure that means that the server is lost gives it up.
   *
   * @throws {@link McpError} when there is none, and what `run` throws.
   */
  async use<T>(run: (connection: McpConnection) => Promise<T>): Promise<T> {
    const leased = this.#leased
    if (leased === undefined) throw this.#unconnected()
    try {
      return await leased.use(run)
    } catch (error) {
      if (leased === this.#leased && lostBy.includes(codeOf(error))) this.lose(error)
      throw error
    }
  }

  /** Whether this is the connection that is used now. */
  isCurrent(connection: McpConnection): boolean {
    return this.#leased?.connection === connection
  }

  /** Gives the connection up: its server is lost, or offers what it must not. */
  lose(error: unknown): void {
    this.#life = undefined
    this.#drop()
    this.#setStatus(this.#failed(error, now()))
  }

  /** Ends the connection, and with it all that runs over it. */
  async close(): Promise<void> {
    this.#life?.abort(new McpError(`${this.#owner.label} was closed.`, { code: 'closed', mayHaveRun: false }))
    this.#life = undefined
    const leased = this.#leased
    this.#leased = undefined
    this.#opening = undefined
    this.#failures = 0
    this.#setStatus({ state: 'idle' })
    await leased?.connection.close()
  }

  #mayTry(): boolean {
    if (this.#leased !== undefined) return false
    const { state } = this.#status
    if (state === 'failed') return now() >= (this.#status as Extract<MCPStatus, { retryAt: number }>).retryAt
    return state === 'idle'
  }

  async #open(life: AbortController): Promise<void> {
    const limit = linkedAbort(life.signal)
    const { timeoutMs } = this.#owner
    limit.startDeadline(timeoutMs, 'connecting')
    try {
      limit.signal.throwIfAborted()
      await this.#openWithin(life, limit.signal, now() + timeoutMs)
      this.#failures = 0
    } catch (error) {
      const reason = limit.deadlinePassed() ? this.#late() : error
      if (this.#life === life) {
        this.#failures += 1
        this.#drop()
        this.#life = undefined
        this.#setStatus(this.#failed(reason, now() + backoffMs(this.#failures)))
      }
      throw reason
    } finally {
      limit.release()
    }
  }

  async #openWithin(life: AbortController, signal: AbortSignal, endsAt: number): Promise<void> {
    const { open, load, elicit } = this.#owner
    const events: McpConnectionEvents = {
      toolsChanged: () => {
        if (this.#life === life) this.#owner.toolsChanged()
      },
      lost: (error) => {
        if (this.#life === life && this.#leased !== undefined) this.lose(error)
      },
      ...(elicit === undefined ? {} : { elicit: (request) => elicit(request) }),
    }
    const opening = open({ events, signal })
    const connection = await untilAborted(opening, signal)
    if (connection === stopped) {
      // It may still come, and nobody would close it.
      opening.then((late) => late.close()).catch(() => {})
      throw signal.reason
    }
    try {
      const loading = load.call(this.#owner, connection, signal, endsAt - now())
      const loaded = await untilAborted(loading, signal)
      if (loaded === stopped) throw signal.reason
      // It may have been closed in the moment in which all was there.
      signal.throwIfAborted()
      loaded()
    } catch (error) {
      void connection.close()
      throw error
    }
    this.#leased = new LeasedConnection(connection)
    this.#opening = undefined
    const { name, version, protocolVersion } = connection.server
    this.#setStatus({ state: 'ready', server: { name, version }, protocolVersion })
  }

  #drop(): void {
    this.#opening = undefined
    this.#leased?.retire()
    this.#leased = undefined
  }

  #failed(error: unknown, retryAt: number): MCPStatus {
    const { message } = errorToData(error)
    const code = codeOf(error)
    if (code === 'needs-authorization') return { state: 'needs-authorization', reason: message }
    return defined({ state: 'failed' as const, reason: message, code, retryAt })
  }

  #late(): McpError {
    const { label, timeoutMs } = this.#owner
    return new McpError(
      `${label} could not be connected within ${timeoutMs} ms. Look whether the server runs and answers; ` +
        'timeoutMs gives it longer.',
      { code: 'timeout', mayHaveRun: false },
    )
  }

  #unconnected(): McpError {
    const { label } = this.#owner
    const { reason = 'it is not connected' } = this.#status as { readonly reason?: string }
    return new McpError(`${label} cannot be used: ${reason}`, { code: 'closed', mayHaveRun: false })
  }

  #setStatus(status: MCPStatus): void {
    this.#status = Object.freeze(status)
    this.#owner.statusChanged(this.#status)
  }
}

function backoffMs(failures: number): number {
  return Math.min(firstBackoffMs * 2 ** (failures - 1), maxBackoffMs)
}

function codeOf(error: unknown): McpErrorCode | undefined {
  return isMcpError(error) ? error.code : undefined
}
