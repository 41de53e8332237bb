import { onTestFinished } from 'vitest'
import type { McpConnection, McpConnectionOptions } from '../../../src/mcp/connection/mcp-connection.ts'
import { openMcpConnection } from '../../../src/mcp/connection/sdk-connection.ts'
import { type LabServer, type LabServerOptions, startLabServer } from './lab-server.ts'

/** A connection of one test, which ends with it, and what it told. */
export interface Connected {
  readonly connection: McpConnection
  readonly told: { changes: number; readonly lost: Error[] }
}

export type ConnectOptions = Partial<Omit<McpConnectionOptions, 'url' | 'events'>> & {
  readonly elicit?: McpConnectionOptions['events']['elicit']
}

/** Connects to a server; rejects as {@link openMcpConnection} does. */
export async function connectTo(url: string, options: ConnectOptions = {}): Promise<Connected> {
  const told = { changes: 0, lost: [] as Error[] }
  const { elicit, ...rest } = options
  const connection = await openMcpConnection({
    url: new URL(url),
    timeoutMs: 20_000,
    ...rest,
    events: {
      toolsChanged: () => {
        told.changes += 1
      },
      lost: (error) => told.lost.push(error),
      ...(elicit === undefined ? {} : { elicit }),
    },
  })
  onTestFinished(() => connection.close())
  return { connection, told }
}

/** A lab server of one test. */
export async function labServer(options?: LabServerOptions): Promise<LabServer> {
  const lab = await startLabServer(options)
  onTestFinished(() => lab.close())
  return lab
}

/** A server and a connection to it. */
export async function labConnection(
  serverOptions?: LabServerOptions,
  options?: ConnectOptions,
): Promise<Connected & { readonly lab: LabServer }> {
  const lab = await labServer(serverOptions)
  return { lab, ...(await connectTo(lab.url, options)) }
}

/** What a list is read with when nothing about it matters. */
export const usualLimits = { maxPages: 100, maxItems: 1_000, timeoutMs: 20_000 }

/** For a call that may not run twice. */
export const once = { idempotent: false }
