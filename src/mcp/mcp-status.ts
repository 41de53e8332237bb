import type { McpErrorCode } from './connection/mcp-connection.ts'

/** How it stands with a server. Frozen; another object whenever anything of it changes. */
export type MCPStatus =
  /** Nobody has asked for anything yet, or the client was closed. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  | {
      readonly state: 'ready'
      /** What the server calls itself. Its own words: show them as such. */
      readonly server: { readonly name: string; readonly version: string }
      readonly protocolVersion: string
    }
  /** A person has to sign in: `client.authorize()` from a click, or `connect()` with a new token in the headers. */
  | { readonly state: 'needs-authorization'; readonly reason: string }
  | {
      readonly state: 'failed'
      /** What happened, and what helps. */
      readonly reason: string
      /** For programs; absent when it was no matter of the connection: a definition that is not the expected one. */
      readonly code?: McpErrorCode
      /** When the next list tries again, in milliseconds since the epoch. */
      readonly retryAt: number
    }

/** Of a client of which nothing was asked. */
export const idle: MCPStatus = Object.freeze({ state: 'idle' })
