import { type Demands, readDemands } from './demands.ts'
import { safeAddress } from './safe-address.ts'

/** What an authorized fetch stands on. */
export interface FetchParts {
  readonly server: URL
  readonly demands: Demands
  readonly inner: typeof fetch
  /** Another access token than the one that was refused; undefined when only a person can give one. */
  renew(refused: string): Promise<string | undefined>
}

/**
 * A fetch that also reads the demands out of the answers of one server, and makes a request again when its token had
 * expired. The SDK's transport does the latter for one request at a time only: of two that are refused at once it
 * gives one up.
 *
 * @throws AuthorizationError `unsafe-address`, before anything is sent there.
 */
export function authorizedFetch({ server, demands, inner, renew }: FetchParts): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    // All others are named by the server: who gives out tokens, and what is known of them.
    if (url.origin !== server.origin) safeAddress(url.href, 'place for signing in')
    const response = await inner(input, init)
    if (url.origin !== server.origin || url.pathname !== server.pathname) return response
    readDemands(response, demands)
    const refused = response.status === 401 && !demands.refusesRenewed ? bearer(init) : undefined
    const renewed = refused === undefined ? undefined : await renew(refused)
    if (renewed === undefined) return response
    await response.body?.cancel()
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${renewed}`)
    const second = await inner(input, { ...init, headers })
    readDemands(second, demands)
    if (second.status === 401) demands.refusesRenewed = true
    return second
  }
}

/** The token of a request that can be made again: a stream is read once. */
function bearer(init: RequestInit | undefined): string | undefined {
  const { body, headers } = init ?? {}
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined
  return /^Bearer (.+)$/i.exec(new Headers(headers).get('authorization') ?? '')?.[1]
}
