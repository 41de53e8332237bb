import { isRecord } from '../tool/value-kinds.ts'
import type { McpError } from './connection/mcp-connection.ts'

/** Whether a value is a failure of a server. By name: it may be made by another copy of the library. */
export function isMcpError(value: unknown): value is McpError {
  return isRecord(value) && value.name === 'McpError'
}
