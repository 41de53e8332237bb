import { errorToData } from '../../tool/error-data.ts'
import { isRecord } from '../../tool/value-kinds.ts'
import { McpError } from '../connection/mcp-connection.ts'
import { AuthorizationError } from './authorization-error.ts'
import { outsideText } from './outside-text.ts'

/**
 * What went wrong while a sign-in was prepared, for the app. Of what a server answered only its error code is told:
 * the rest may repeat what it was sent.
 */
export function preparingFailed(error: unknown, server: URL): AuthorizationError {
  if (isAuthorizationError(error)) return error
  const code = oauthCode(error)
  if (code !== undefined) {
    return failed(
      server,
      `its authorization server answered ${JSON.stringify(code)}. Check \`clientId\`, \`scopes\` and \`redirectUrl\`; it may ` +
        'also want the app to be registered by hand.',
    )
  }
  const { name, message } = errorToData(error)
  if (name === 'TypeError') return failed(server, unreachable)
  if (/dynamic client registration/.test(message)) {
    return failed(
      server,
      'its authorization server registers nobody by itself. Register the app there and pass `clientId`, or pass ' +
        '`clientMetadataUrl` if it reads client metadata documents.',
    )
  }
  const said = name === 'ZodError' ? 'an answer has not the form that OAuth wants' : outsideText(message)
  return failed(server, `${said}. Its operator has to mend that.`)
}

/** What went wrong while a code was traded. */
export function tradingFailed(error: unknown, server: URL): AuthorizationError {
  if (isAuthorizationError(error)) return error
  const code = oauthCode(error)
  const isNetwork = errorToData(error).name === 'TypeError'
  const said =
    code === undefined ? (isNetwork ? unreachable : wrongForm) : `it answered ${JSON.stringify(code)}.`
  return new AuthorizationError(
    'exchange-failed',
    `The authorization server of ${server.host} gave no token for the code: ${said} A code works once, and for a short ` +
      'time only: sign in again.',
  )
}

/** What an authorization server's refusal to renew a token makes useless; undefined when it may be asked again. */
export function uselessAfter(error: unknown): 'client' | 'tokens' | undefined {
  const code = oauthCode(error)
  if (code === undefined || passing.includes(code)) return undefined
  return code === 'invalid_client' || code === 'unauthorized_client' ? 'client' : 'tokens'
}

const passing = ['server_error', 'temporarily_unavailable', 'too_many_requests']

/** A renewal that may work later: for whoever made the request. */
export function renewingFailed({ host }: URL): McpError {
  return new McpError(
    `The access to ${host} has expired and could not be renewed just now: its authorization server did not answer as it ` +
      'should, or cannot be reached. Try again later, or sign in anew.',
    { code: 'unreachable', mayHaveRun: false },
  )
}

const unreachable =
  'it, or its authorization server, could not be reached from this page. It may be down, or send no CORS headers ' +
  '(Access-Control-Allow-Origin) with its metadata, registration and token answers; or the policy of this page ' +
  '(connect-src) forbids its address.'

const wrongForm = 'its answer has not the form that OAuth wants.'

function failed(server: URL, why: string): AuthorizationError {
  return new AuthorizationError(
    'discovery-failed',
    `Signing in to ${server.host} could not be prepared: ${why}`,
  )
}

function oauthCode(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'errorCode' in error ? error.errorCode : undefined
  return typeof code === 'string' ? outsideText(code) : undefined
}

function isAuthorizationError(error: unknown): error is AuthorizationError {
  return isRecord(error) && error.name === 'AuthorizationError'
}

/** No window was opened. */
export function windowBlocked({ host }: URL): AuthorizationError {
  return new AuthorizationError(
    'popup-blocked',
    `The browser did not open the window for signing in to ${host}. Call \`authorize()\` from a click, before anything ` +
      "else is waited for, and allow pop-ups for this page; or use `mode: 'redirect'`.",
  )
}

/** The person closed the window. */
export function windowClosed({ host }: URL): AuthorizationError {
  return new AuthorizationError(
    'cancelled',
    `The window for signing in to ${host} was closed before there was an answer. Sign in again when it suits.`,
  )
}

/** The app gave it up. */
export function givenUp({ host }: URL): AuthorizationError {
  return new AuthorizationError(
    'cancelled',
    `The sign-in at ${host} was given up, because its client was closed. Connect and sign in again.`,
  )
}

/** The page did not go where it was sent. */
export function notLeft({ host }: URL, timeoutMs: number): AuthorizationError {
  return new AuthorizationError(
    'timeout',
    `The page did not leave for signing in to ${host} within ${timeoutMs} ms. Sign in again.`,
  )
}
