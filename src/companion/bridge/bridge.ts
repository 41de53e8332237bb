import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from '../mcp/load-sdk.ts'
import type { OpenPeer, Peer, SessionEnd } from '../mcp/peer.ts'
import { Relations } from './relations.ts'
import { StdioChild } from './stdio-child.ts'
import type { StdioServer } from './stdio-server.ts'

/** Messages for a client that does not listen yet; more than these are lost. */
const maxLater = 100

/** What a bridge is made with. */
export interface BridgeOptions {
  readonly name: string
  readonly server: StdioServer
  readonly sdk: Sdk
  /** A line for the terminal. */
  log(line: string): void
}

/** Serves each session with a process of its own, started with the first message. */
export function bridgeTo(options: BridgeOptions): OpenPeer {
  return async (end) => {
    const bridge = new Bridge(options, end)
    await end.transport.start()
    return bridge
  }
}

/** Passes all messages between one session and one process. A process that ended is started again when it is needed. */
class Bridge implements Peer {
  readonly #options: BridgeOptions
  readonly #end: SessionEnd
  readonly #relations = new Relations()
  readonly #later: JSONRPCMessage[] = []
  #child: StdioChild | undefined
  #initialize: JSONRPCMessage | undefined
  /** Until it has answered, nothing else is sent to a process that was started again. */
  #waking: { readonly id: string; readonly queue: JSONRPCMessage[] } | undefined
  #wakings = 0
  /** Whether the first process has answered anything: one that never did is not worth a session. */
  #hasBegun = false
  #isClosed = false

  constructor(options: BridgeOptions, end: SessionEnd) {
    this.#options = options
    this.#end = end
    end.transport.onmessage = (message) => this.#fromClient(message)
  }

  get isBusy(): boolean {
    return this.#relations.pending.length > 0
  }

  listening(): void {
    for (const message of this.#later.splice(0)) this.#toClient(message)
  }

  abandoned(requestIds: readonly (string | number)[]): void {
    for (const requestId of requestIds) {
      if (!this.#relations.settle(requestId)) continue
      const params = { requestId, reason: 'The page is gone.' }
      this.#child?.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
    }
  }

  rest(): void {
    if (this.isBusy || this.#child === undefined) return
    this.#options.log(`${this.#options.name}: idle, so it was ended; the next call starts it again`)
    this.#dropChild()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const child = this.#child
    this.#child = undefined
    await child?.close()
  }

  #fromClient(message: JSONRPCMessage): void {
    if (this.#isClosed) return
    this.#relations.sent(message)
    const isFirst = this.#initialize === undefined
    if (isFirst) this.#initialize = message
    // Only a request is worth a process; whatever else comes was for one that is gone.
    const isRequest = 'method' in message && 'id' in message
    if (this.#child === undefined && isRequest) this.#start(isFirst)
    if (this.#waking === undefined) this.#child?.send(message)
    else this.#waking.queue.push(message)
  }

  #start(isFirst: boolean): void {
    const { name, server, sdk, log } = this.#options
    log(`${name}: starting`)
    const child = new StdioChild(server, sdk, {
      message: (message) => {
        if (this.#child === child) this.#fromChild(message)
      },
      ended: (reason) => {
        if (this.#child === child) this.#lost(reason)
      },
      line: (text) => log(`${name}: ${text}`),
    })
    this.#child = child
    if (isFirst) return
    // To the client it is the same session: only here is it begun again.
    this.#wakings += 1
    this.#waking = { id: `companion-${this.#wakings}`, queue: [] }
    child.send({ ...this.#initialize, id: this.#waking.id } as JSONRPCMessage)
  }

  #fromChild(message: JSONRPCMessage): void {
    const isAnswer = !('method' in message)
    const { id } = message as { readonly id?: string | number }
    if (isAnswer && id !== undefined && id === this.#waking?.id) this.#woken()
    else if (!isAnswer) this.#toClient(message)
    // A request that was cancelled may have been answered in the same moment.
    else if (id !== undefined && this.#relations.settle(id)) {
      this.#hasBegun = true
      this.#send(message)
    }
  }

  #woken(): void {
    const { queue = [] } = this.#waking ?? {}
    this.#waking = undefined
    this.#child?.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    for (const message of queue) this.#child?.send(message)
    // It may be another version by now.
    this.#toClient({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  }

  #toClient(message: JSONRPCMessage): void {
    const place = this.#relations.placeOf(message, this.#end.isListening())
    if (place === 'nobody') return
    if (place !== 'later') this.#send(message, place === 'standing' ? undefined : place.request)
    else if (this.#later.length < maxLater) this.#later.push(message)
  }

  #send(message: JSONRPCMessage, relatedRequestId?: string | number): void {
    const options = relatedRequestId === undefined ? {} : { relatedRequestId }
    this.#end.transport.send(message, options).catch(() => this.#undelivered(message))
  }

  /** The client has gone in this moment: a server must not wait for an answer to its question for ever. */
  #undelivered(message: JSONRPCMessage): void {
    if (!('method' in message) || !('id' in message)) return
    const error = { code: -32_000, message: 'The client cannot be asked any more.' }
    this.#child?.send({ jsonrpc: '2.0', id: message.id, error })
  }

  #lost(reason: string): void {
    const { name, log } = this.#options
    log(`${name}: ${reason}`)
    this.#dropChild()
    const text = `The MCP server "${name}" ${reason}. What it printed is in the terminal of the companion.`
    for (const id of this.#relations.pending) {
      this.#relations.settle(id)
      this.#send({ jsonrpc: '2.0', id, error: { code: -32_000, message: text } })
    }
    if (!this.#hasBegun) void this.#end.transport.close()
  }

  #dropChild(): void {
    const child = this.#child
    this.#child = undefined
    this.#waking = undefined
    void child?.close()
  }
}
