import type { JsonObject } from '../../tool/json-value.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import type { McpServerInfo } from './mcp-connection.ts'
import { excerpt } from './wire-message.ts'

/** What a server said of itself in its answer to `initialize`; what is missing or odd is empty. */
export function readServerInfo(result: JsonObject): McpServerInfo {
  const { protocolVersion, serverInfo, capabilities, instructions } = result
  const { name, version } = isRecord(serverInfo) ? serverInfo : {}
  return {
    name: textOf(name),
    version: textOf(version),
    protocolVersion: textOf(protocolVersion),
    ...(typeof instructions === 'string' ? { instructions } : {}),
    capabilities: isRecord(capabilities) ? (capabilities as JsonObject) : {},
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? excerpt(value) : ''
}
