import { isLoopback } from '../server-url.ts'
import { AuthorizationError } from './authorization-error.ts'

/**
 * An address that a server named, if it may be opened, or given secrets: https, or http on this machine.
 *
 * @param what - Names it in the error.
 * @throws AuthorizationError `unsafe-address`
 */
export function safeAddress(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const plain = url?.protocol === 'http:' && isLoopback(url.hostname)
  if (url && (url.protocol === 'https:' || plain) && url.username === '' && url.password === '') return url
  throw new AuthorizationError(
    'unsafe-address',
    `The server names a ${what} that is not used: ${shown(url)}. Only https (and http on this machine), without a ` +
      'name and password in it, is safe for signing in. The operator of the server has to mend its metadata.',
  )
}

function shown(url: URL | undefined): string {
  if (url === undefined) return 'it is no address'
  // What a server sent may be long, and hold what is nobody's business.
  return `its scheme is ${JSON.stringify(url.protocol.slice(0, 40))}, its host ${JSON.stringify(url.hostname.slice(0, 100))}`
}
