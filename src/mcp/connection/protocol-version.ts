import { isRecord, isStringList } from '../../tool/value-kinds.ts'
import { McpError } from './mcp-connection.ts'
import { shownUrl } from './shown-url.ts'
import { excerpt } from './wire-message.ts'

/** The server and this client speak no common version. */
export function noCommonVersion(url: URL, theirs: readonly string[], ours: readonly string[]): McpError {
  return new McpError(
    `${shownUrl(url)} speaks ${theirs.length > 0 ? excerpt(theirs.join(', ')) : 'only versions'} of the Model Context Protocol ` +
      `that this client does not know: it speaks ${ours.join(', ')}. Use a server that speaks one of these, or a ` +
      'newer release of this library.',
    { code: 'protocol-version', mayHaveRun: false },
  )
}

/**
 * The versions that a server names when it refuses to start a session; undefined when it refuses for another reason.
 * Servers of 2026-07-28 have an error of their own for that and do not know `initialize`; the example of 2025-11-25
 * (basic/lifecycle, error handling) has invalid params with a list of what is supported.
 */
export function refusedVersions(error: unknown): readonly string[] | undefined {
  if (!(error instanceof McpError) || !isRecord(error.cause)) return undefined
  const { code, data } = error.cause
  const supported = isRecord(data) ? data.supported : undefined
  if (isStringList(supported)) return supported
  return code === unsupportedVersion || code === methodNotFound ? [] : undefined
}

const unsupportedVersion = -32_022
const methodNotFound = -32_601
