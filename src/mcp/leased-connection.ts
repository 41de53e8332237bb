import type { McpConnection } from './connection/mcp-connection.ts'

/** A connection that several use at once, and that closes once nobody does after it was given up. */
export class LeasedConnection {
  readonly connection: McpConnection
  #users = 0
  #retired = false

  constructor(connection: McpConnection) {
    this.connection = connection
  }

  /** Uses the connection; it stays open until that is over. */
  async use<T>(run: (connection: McpConnection) => Promise<T>): Promise<T> {
    this.#users += 1
    try {
      return await run(this.connection)
    } finally {
      this.#users -= 1
      this.#closeIfIdle()
    }
  }

  /** Lets those who use it finish: what reached the server may still be answered. */
  retire(): void {
    this.#retired = true
    this.#closeIfIdle()
  }

  #closeIfIdle(): void {
    if (this.#retired && this.#users === 0) void this.connection.close()
  }
}
