import { isRecord } from '../../tool/value-kinds.ts'
import type { Attempt } from './attempt.ts'
import { AuthorizationError } from './authorization-error.ts'
import { outsideText } from './outside-text.ts'

/**
 * The code in the answer to an attempt: the query of the address that the authorization server led back to
 * (RFC 6749 §4.1.2, RFC 9207).
 *
 * @throws AuthorizationError for any other answer.
 */
export function readAnswer(query: URLSearchParams, attempt: Attempt): string {
  const host = new URL(attempt.server).host
  if (query.getAll('state').join() !== attempt.state) throw strangeState(host)
  checkIssuer(query, attempt, host)
  const error = query.get('error')
  if (error !== null) throw refusal(error, query.get('error_description'), host)
  const [code, ...more] = query.getAll('code')
  if (code && more.length === 0) return code
  throw new AuthorizationError(
    'bad-answer',
    `The authorization server of ${host} answered without ${code ? 'a single' : 'a'} code, so nothing can be got for it. ` +
      'Sign in again; if that does not help, its operator has to mend it.',
  )
}

/** An answer that nobody waits for. */
export function strangeState(host?: string): AuthorizationError {
  return new AuthorizationError(
    'state-mismatch',
    `An answer to a sign-in${host ? ` at ${host}` : ''} was not used: no sign-in of this tab waits for it. It was used ` +
      'before, is too old, began in another tab, or was forged. Start the sign-in again.',
  )
}

function checkIssuer(query: URLSearchParams, { discovery }: Attempt, host: string): void {
  const metadata = discovery.authorizationServerMetadata
  const known = isRecord(metadata) ? metadata : { issuer: discovery.authorizationServerUrl }
  const issuers = query.getAll('iss')
  const promised = known.authorization_response_iss_parameter_supported === true
  if (issuers.length === 0 ? !promised : issuers.join() === known.issuer) return
  throw new AuthorizationError(
    'bad-answer',
    `The answer to the sign-in at ${host} does not come from the authorization server that was asked ` +
      '(its `iss` is another one, or missing; RFC 9207), so its code was not used. Sign in again, and be careful: ' +
      'somebody may have led the browser elsewhere.',
  )
}

const advice = new Map([
  ['access_denied', 'Sign in again and allow it, if it was not meant to be refused.'],
  ['invalid_scope', 'It does not give what was asked for: check `scopes`.'],
  ['unauthorized_client', 'This page is not allowed to ask: check `clientId`, and `redirectUrl`.'],
  ['temporarily_unavailable', 'Try again later.'],
  ['server_error', 'Try again later.'],
])

function refusal(error: string, description: string | null, host: string): AuthorizationError {
  const said = description ? `, ${JSON.stringify(outsideText(description))}` : ''
  return new AuthorizationError(
    'denied',
    `Access to ${host} was not given: its authorization server answered ${JSON.stringify(outsideText(error))}${said}. ` +
      (advice.get(error) ?? 'Sign in again; if that does not help, ask its operator.'),
  )
}
