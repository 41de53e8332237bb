import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ErrorCode, McpError as SdkError } from '@modelcontextprotocol/sdk/types.js'
import { errorToData } from '../../tool/error-data.ts'
import { closedConnection, needsAuthorization } from './http-fault.ts'
import { McpError } from './mcp-connection.ts'
import { shownUrl } from './shown-url.ts'

/** What the SDK threw, in our words. */
export function readSdkFault(url: URL, error: unknown, authorizes: boolean): McpError {
  if (error instanceof McpError) return error
  if (error instanceof SdkError && error.code === ErrorCode.ConnectionClosed) return closedConnection(url)
  const { message } = errorToData(error)
  if (error instanceof UnauthorizedError) return needsAuthorization(url, '', error)
  // All that can fail otherwise when there is a provider is getting a token.
  if (authorizes || error instanceof StreamableHTTPError) return needsAuthorization(url, message, error)
  return new McpError(`The request to ${shownUrl(url)} failed: ${message}`, {
    code: 'protocol',
    cause: error,
  })
}
