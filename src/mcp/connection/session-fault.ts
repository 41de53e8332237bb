import { McpError } from './mcp-connection.ts'
import { shownUrl } from './shown-url.ts'

/**
 * A server that starts sessions, and then refuses who cannot name theirs: browsers do not show a page the header with
 * the session's id unless the server says so.
 */
export function sessionIdMissing(url: URL, cause: McpError): McpError {
  return new McpError(
    `${shownUrl(url)} started a session but then refused it (${cause.message}): no session id could be read from its answer. ` +
      'If it sent the header Mcp-Session-Id, it must also send the header ' +
      '"Access-Control-Expose-Headers: Mcp-Session-Id", or browsers hide it from pages.',
    { code: 'cors', status: cause.status, mayHaveRun: false, cause },
  )
}

/** Whether a refusal is about a session. Statuses: MCP 2025-11-25, basic/transports, session management. */
export function isAboutSession(error: unknown): error is McpError {
  return error instanceof McpError && error.code === 'http' && (error.status === 404 || error.status === 400)
}
