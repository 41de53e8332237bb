import { type ChildProcess, spawn } from 'node:child_process'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Sdk } from '../mcp/load-sdk.ts'
import { endGroup, ownGroup } from '../process-group.ts'
import { type StdioServer, serverEnvironment } from './stdio-server.ts'

/** What is told of a child. */
export interface ChildEvents {
  message(message: JSONRPCMessage): void
  /** It ended by itself, or could not be started; `reason` names no secret. Told once. */
  ended(reason: string): void
  /** A line of its standard error, for the terminal. */
  line(text: string): void
}

/** The process of one stdio server. */
export class StdioChild {
  readonly #child: ChildProcess
  readonly #sdk: Sdk
  readonly #events: ChildEvents
  #isOver = false

  constructor(server: StdioServer, sdk: Sdk, events: ChildEvents) {
    this.#sdk = sdk
    this.#events = events
    const { command, args = [], cwd } = server
    this.#child = spawn(command, args, {
      env: serverEnvironment(server),
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own: what it starts is ended with it.
      detached: process.platform !== 'win32',
      ...(cwd === undefined ? {} : { cwd }),
    })
    ownGroup(this.#child)
    this.#child.on('error', (error: NodeJS.ErrnoException) =>
      this.#end(`could not be started (${error.code})`),
    )
    this.#child.on('close', (code, signal) => this.#end(`ended (${signal ?? `exit code ${code}`})`))
    // Writing to a process that has just ended; that it has is told by itself.
    this.#child.stdin?.on('error', () => {})
    this.#read()
  }

  send(message: JSONRPCMessage): void {
    if (!this.#isOver) this.#child.stdin?.write(this.#sdk.serializeMessage(message))
  }

  /** Ends it and all it started; nothing more is told of it. */
  async close(): Promise<void> {
    this.#isOver = true
    await endGroup(this.#child)
  }

  #end(reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    void endGroup(this.#child)
    this.#events.ended(reason)
  }

  #read(): void {
    const buffer = new this.#sdk.ReadBuffer()
    this.#child.stdout?.on('data', (piece: Buffer) => {
      try {
        buffer.append(piece)
      } catch {
        this.#end('sent a message that is too large')
        return
      }
      this.#readMessages(buffer)
    })
    let rest = ''
    this.#child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n')
      // A line without an end is cut rather than kept.
      rest = (lines.pop() ?? '').slice(-2_000)
      for (const line of lines) this.#events.line(line.slice(0, 2_000))
    })
  }

  #readMessages(buffer: InstanceType<Sdk['ReadBuffer']>): void {
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        if (!this.#isOver) this.#events.message(message)
      } catch {
        // Many servers print a greeting where only messages belong.
        this.#events.line('(a line on its standard output is no message, and was left out)')
      }
    }
  }
}
