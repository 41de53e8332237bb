import { ToolRegistrationError } from '../tool/errors.ts'

/**
 * The address of a server, checked: absolute, http or https, without a name, a password or a fragment. Plain http is
 * for this machine alone, unless it is allowed: who sits on the way could read and change all that is said.
 *
 * @throws {@link ToolRegistrationError} that never repeats a password.
 */
export function checkServerUrl(given: unknown, allowInsecureHttp: boolean, where: string): URL {
  const url = parse(given, where)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new ToolRegistrationError(
      `${where}: url has the scheme "${url.protocol}"; MCP servers are reached over https:, or http: on this machine.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolRegistrationError(
      `${where}: url holds a user name or a password, which end up in logs. Take them out; send a secret with ` +
        "headers: () => ({ Authorization: '…' }).",
    )
  }
  if (url.hash !== '') {
    throw new ToolRegistrationError(
      `${where}: url has a fragment ("#…"), which no server ever gets. Take it out; send a secret with headers.`,
    )
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ToolRegistrationError(
      `${where}: url is plain http to "${url.hostname}", which anybody on the way can read and change. Use https; ` +
        'in a network that you trust, pass allowInsecureHttp: true.',
    )
  }
  return url
}

/** Whether a host name, as `URL` writes it, is this machine: 127.0.0.0/8, ::1, localhost and all below it. */
export function isLoopback(hostname: string): boolean {
  // RFC 6761, 6.3: browsers resolve these names to loopback and ask no name server.
  if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return true
  return hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

function parse(given: unknown, where: string): URL {
  try {
    if (typeof given === 'string' || given instanceof URL) return new URL(given)
  } catch {
    // Not repeated: who writes an address wrong may have a password in it.
  }
  throw new ToolRegistrationError(
    `${where}: url must be the whole address of the server, for example "https://example.com/mcp"; a page's own ` +
      "server is new URL('/mcp', location.href).",
  )
}
