import type { FetchParts } from './authorized-fetch.ts'
import type { Credentials, Saved } from './credentials.ts'
import { renewingFailed, uselessAfter } from './sign-in-failure.ts'

/** What tokens are renewed with, and by whom. */
export interface RenewalParts {
  readonly server: URL
  readonly credentials: Credentials
  client(): Promise<Saved | undefined>
  /** Asks the authorization server. */
  ask(facts: { readonly tokens: Saved; readonly discovery: Saved; readonly client: Saved }): Promise<Saved>
}

/**
 * Renews an access token without a person, once for all requests that were refused: authorization servers revoke
 * everything when a refresh token comes twice (RFC 9700 §4.14.2).
 *
 * @throws McpError, from the promise, when it may work later.
 */
export function tokenRenewal(parts: RenewalParts): FetchParts['renew'] {
  let running: Promise<string | undefined> | undefined
  return (refused) => {
    running ??= renew(refused, parts).finally(() => {
      running = undefined
    })
    return running
  }
}

async function renew(refused: string, parts: RenewalParts): Promise<string | undefined> {
  const { server, credentials } = parts
  const [tokens, discovery, client] = await Promise.all([
    credentials.tokens(),
    credentials.discovery(),
    parts.client(),
  ])
  // Another request was faster.
  if (tokens !== undefined && tokens.access_token !== refused) return String(tokens.access_token)
  if (tokens?.refresh_token === undefined || discovery === undefined || client === undefined) return undefined
  try {
    const renewed = await parts.ask({ tokens, discovery, client })
    await credentials.saveTokens(renewed)
    return String(renewed.access_token)
  } catch (error) {
    const useless = uselessAfter(error)
    if (useless === undefined) throw renewingFailed(server)
    // What a client was given goes with it.
    if (useless === 'client') await credentials.forget('client')
    await credentials.forget('tokens')
    return undefined
  }
}
