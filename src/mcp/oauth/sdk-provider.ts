import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { type Attempt, newState } from './attempt.ts'
import { AuthorizationError } from './authorization-error.ts'
import type { Credentials, Saved } from './credentials.ts'
import type { Demands } from './demands.ts'
import { matchVerifier } from './match-verifier.ts'
import type { OAuthSettings } from './oauth-options.ts'
import { outsideText } from './outside-text.ts'
import { safeAddress } from './safe-address.ts'
import { wantedScope } from './wanted-scope.ts'

/** What a provider stands on. */
export interface ProviderParts {
  readonly server: URL
  readonly settings: OAuthSettings
  readonly credentials: Credentials
  readonly demands: Demands
  /** A person's permission is wanted. */
  begin(attempt: Attempt): void
}

/**
 * The SDK's view of the access to one server. Nothing is opened when it wants to redirect: the address becomes an
 * attempt that waits for a click. Several requests may be refused at once, and each begins an attempt of its own.
 */
export function sdkProvider(parts: ProviderParts): OAuthClientProvider {
  const { settings, credentials } = parts
  const verifiers: string[] = []
  /** By id: requests that are refused at once may each register. */
  const clients = new Map<string, Saved>()
  return {
    redirectUrl: settings.redirectUrl.href,
    ...(settings.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: settings.clientMetadataUrl }),
    clientMetadata: clientMetadata(settings),
    state: newState,
    ...clientStore(parts, clients),
    tokens: async () => {
      const tokens = await credentials.tokens()
      if (tokens === undefined) return undefined
      // `tokenRenewal` has tried it before the SDK hears of a refusal; without it the SDK asks for the person.
      const { refresh_token, ...access } = tokens
      // Saved as the SDK gave them.
      return access as unknown as OAuthTokens
    },
    saveTokens: (tokens) => credentials.saveTokens(tokens),
    saveCodeVerifier: (verifier) => {
      verifiers.push(verifier)
    },
    codeVerifier: () => {
      throw new AuthorizationError('state-mismatch', 'Codes are traded through `authorize()` only.')
    },
    redirectToAuthorization: async (url) => {
      const client = clients.get(url.searchParams.get('client_id') ?? '') ?? {}
      parts.begin(await newAttempt(url, verifiers, client, parts))
    },
    invalidateCredentials: async (what) => {
      // A verifier lasts as long as its attempt.
      if (what !== 'verifier') await credentials.forget(what)
    },
    saveDiscoveryState: async (found) => {
      checkAddresses(found)
      await credentials.saveDiscovery({ ...found })
    },
    // The SDK only ever asks for a person here, and the server may have moved to another authorization server.
    discoveryState: () => undefined,
  }
}

function clientMetadata(settings: OAuthSettings): OAuthClientMetadata {
  const known = {
    client_name: settings.clientName,
    redirect_uris: [settings.redirectUrl.href],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // A page keeps no secrets.
    token_endpoint_auth_method: 'none',
    application_type: 'web',
  }
  return settings.scopes === undefined ? known : { ...known, scope: settings.scopes.join(' ') }
}

type ClientStore = Pick<OAuthClientProvider, 'clientInformation' | 'saveClientInformation'>

function clientStore({ settings, credentials }: ProviderParts, clients: Map<string, Saved>): ClientStore {
  const { clientId, clientSecret, issuer } = settings
  const known = (client: OAuthClientInformationMixed): OAuthClientInformationMixed => {
    clients.set(client.client_id, { ...client })
    return client
  }
  if (clientId !== undefined) {
    const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
    const bound = issuer === undefined ? {} : { issuer }
    return { clientInformation: () => known({ client_id: clientId, ...secret, ...bound }) }
  }
  return {
    clientInformation: async () => {
      const client = await credentials.client()
      // Saved by `saveClientInformation`.
      return isUsable(client, settings) ? known(client as unknown as OAuthClientInformationMixed) : undefined
    },
    saveClientInformation: (client) => credentials.saveClient({ ...known(client) }),
  }
}

function isUsable(client: Saved | undefined, { redirectUrl }: OAuthSettings): client is Saved {
  if (typeof client?.client_id !== 'string') return false
  const { redirect_uris: uris, client_secret_expires_at: expiresAt } = client
  if (typeof expiresAt === 'number' && expiresAt > 0 && expiresAt * 1_000 < Date.now()) return false
  // Registered for another page: the authorization server would not lead back to this one.
  return !Array.isArray(uris) || uris.includes(redirectUrl.href)
}

async function newAttempt(
  url: URL,
  verifiers: string[],
  client: Saved,
  { settings, server, credentials, demands }: ProviderParts,
): Promise<Attempt> {
  const address = safeAddress(url.href, 'authorization endpoint')
  const offered = address.searchParams.get('scope')
  const scope = await wantedScope(offered, { scopes: settings.scopes, demands, credentials })
  if (scope !== '') address.searchParams.set('scope', scope)
  return {
    state: address.searchParams.get('state') ?? '',
    verifier: await matchVerifier(address.searchParams.get('code_challenge') ?? '', verifiers),
    address: address.href,
    server: server.href,
    discovery: (await credentials.discovery()) ?? {},
    client,
    startedAtMs: Date.now(),
  }
}

function checkAddresses({
  authorizationServerUrl,
  authorizationServerMetadata: metadata,
}: OAuthDiscoveryState): void {
  safeAddress(authorizationServerUrl, 'authorization server')
  if (metadata === undefined) return
  checkIssuer(authorizationServerUrl, metadata.issuer)
  safeAddress(metadata.authorization_endpoint, 'authorization endpoint')
  safeAddress(metadata.token_endpoint, 'token endpoint')
  const { registration_endpoint: registration } = metadata
  if (registration !== undefined) safeAddress(registration, 'registration endpoint')
}

/**
 * RFC 8414 §3.3: metadata counts only under the address that it names as its own. Otherwise a server could send the
 * browser to an honest authorization server and the code that comes of it to itself.
 */
function checkIssuer(url: string | URL, issuer: string): void {
  const [asked, named] = [url, issuer].map((address) => String(address).replace(/\/$/, ''))
  if (asked === named) return
  throw new AuthorizationError(
    'bad-answer',
    `The metadata of the authorization server ${asked} names ${outsideText(issuer)} as its issuer, so it was not used ` +
      '(RFC 8414, section 3.3). Its operator has to mend that; be careful, somebody may want the sign-in of another server.',
  )
}
