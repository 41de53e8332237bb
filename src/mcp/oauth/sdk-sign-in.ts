import {
  auth,
  exchangeAuthorization,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js'
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import type { Attempt } from './attempt.ts'
import type { Saved } from './credentials.ts'
import type { Demands } from './demands.ts'
import { safeAddress } from './safe-address.ts'

/** Finds out who gives access to a server, registers there, and has the provider begin an attempt. */
export async function prepareSignIn(
  provider: unknown,
  server: URL,
  { scope, metadataAddress }: Demands,
  fetchFn: typeof fetch,
): Promise<void> {
  // Made by `sdkProvider`; only its importers know the SDK's types.
  await auth(provider as OAuthClientProvider, {
    serverUrl: server,
    fetchFn,
    ...(scope === undefined ? {} : { scope }),
    ...(metadataAddress === undefined ? {} : { resourceMetadataUrl: metadataUrl(metadataAddress, server) }),
  })
}

/** The SDK goes on without metadata that it cannot have; here the person is told why. */
function metadataUrl(address: string, server: URL): URL {
  if (URL.canParse(address) && new URL(address).origin === server.origin) return new URL(address)
  return safeAddress(address, 'metadata address')
}

/** Trades a code for tokens, at the authorization server that the attempt was begun with, once. */
export async function tradeCode(attempt: Attempt, code: string, fetchFn: typeof fetch): Promise<Saved> {
  const { discovery, client, verifier } = attempt
  const asked = new URL(attempt.address).searchParams
  const issuer = String(discovery.authorizationServerUrl)
  const metadata = discovery.authorizationServerMetadata as AuthorizationServerMetadata | undefined
  const resource = asked.get('resource')
  const tokens = await exchangeAuthorization(issuer, {
    // Kept as the SDK gave them.
    clientInformation: client as unknown as OAuthClientInformationMixed,
    ...(metadata === undefined ? {} : { metadata }),
    authorizationCode: code,
    codeVerifier: verifier,
    redirectUri: asked.get('redirect_uri') ?? '',
    ...(resource === null ? {} : { resource }),
    fetchFn,
  })
  // A server may leave out what is as it was asked for (RFC 6749 §5.1).
  const scope = tokens.scope ?? asked.get('scope')
  return { ...tokens, ...(scope === null ? {} : { scope }), issuer }
}

/** What tokens are renewed with. */
export interface Renewal {
  readonly tokens: Saved
  readonly discovery: Saved
  readonly client: Saved
}

/** Renews tokens, at the authorization server that gave them. */
export async function renewTokens(
  { tokens, discovery, client }: Renewal,
  fetchFn: typeof fetch,
): Promise<Saved> {
  // All three were saved as the SDK gave them.
  const {
    authorizationServerUrl,
    authorizationServerMetadata: metadata,
    resourceMetadata,
  } = discovery as unknown as OAuthDiscoveryState
  const renewed = await refreshAuthorization(authorizationServerUrl, {
    clientInformation: client as unknown as OAuthClientInformationMixed,
    ...(metadata === undefined ? {} : { metadata }),
    refreshToken: String(tokens.refresh_token),
    ...(resourceMetadata === undefined ? {} : { resource: resourceMetadata.resource }),
    fetchFn,
  })
  const scope = renewed.scope ?? tokens.scope
  return { ...renewed, ...(scope === undefined ? {} : { scope }), issuer: authorizationServerUrl }
}
