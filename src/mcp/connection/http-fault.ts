import { McpError } from './mcp-connection.ts'
import { shownUrl } from './shown-url.ts'
import { excerpt, readMessages, type WireError } from './wire-message.ts'

/** JSON-RPC errors that a server makes of a request that it has read: these are no sign of a lost session. */
const requestErrors = [-32_601, -32_602, -32_603]

/** An answer with an error status: as the server's own error when it says so, otherwise as a failure of HTTP. */
export function readFault(url: URL, status: number, text: string): McpError {
  const [message] = readMessages(text)
  if (message?.kind === 'error' && requestErrors.includes(message.error.code))
    return serverError(message.error)
  const said = excerpt(message?.kind === 'error' ? message.error.message : text)
  if (status === 401) return needsAuthorization(url, said)
  return new McpError(`${shownUrl(url)} answered ${status}${said === '' ? '' : `: ${said}`}`, {
    code: 'http',
    status,
    mayHaveRun: !refused.includes(status),
    ...(message?.kind === 'error' ? { cause: message.error } : {}),
  })
}

/** With these a server says that it has not looked at the request: RFC 9110 §15.5 and the transport of MCP. */
const refused = [400, 401, 403, 404, 405, 406, 413, 415, 429]

/** A model may have to read why, and no more than that. */
const maxReasonChars = 2_000

/** An error that the server answered with: the message is the beginning of its own, and it is the cause as it came. */
export function serverError(error: WireError): McpError {
  return new McpError(excerpt(error.message, maxReasonChars), {
    code: 'server',
    mayHaveRun: !neverRan.includes(error.code),
    cause: error,
  })
}

/** JSON-RPC 2.0 §5.1: not JSON, no request, no such method, wrong parameters. */
const neverRan = [-32_700, -32_600, -32_601, -32_602]

export function needsAuthorization(url: URL, said = '', cause?: unknown): McpError {
  return new McpError(
    `${shownUrl(url)} wants to know who calls${said === '' ? '' : ` (${excerpt(said)})`}: it needs authorization.`,
    { code: 'needs-authorization', status: 401, mayHaveRun: false, cause },
  )
}

export function closedConnection(url: URL): McpError {
  return new McpError(`The connection to ${shownUrl(url)} was closed.`, { code: 'closed' })
}
