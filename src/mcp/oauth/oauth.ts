import { checkMilliseconds, checkOptions } from '../../tool/check-options.ts'
import { defined } from '../../tool/defined.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import { hasMethods, isStringList } from '../../tool/value-kinds.ts'
import type { MCPAuth } from './authorization.ts'
import { LateSignIn, lateSignIns } from './late-sign-in.ts'
import type { OAuthOptions, OAuthSettings } from './oauth-options.ts'
import { type SignInPage, thisPage } from './sign-in-page.ts'
import { memoryTokenStore } from './token-store.ts'

const where = 'oauth()'

const names: Record<keyof OAuthOptions, true> = {
  ...{ redirectUrl: true, mode: true, clientId: true, clientSecret: true, issuer: true },
  ...{ clientMetadataUrl: true, clientName: true, scopes: true, storage: true, timeoutMs: true },
}

/**
 * Signs a person in to MCP servers that want it: OAuth 2.1 with PKCE (S256), as the MCP specification of 2025-11-25
 * has it. For `auth` of `MCPClient`, also of several; on pages only. No window is opened by itself: a client whose
 * status is `needs-authorization` waits for `authorize()`, called from a click of the app.
 *
 * @example
 * ```ts
 * const files = new MCPClient({
 *   url: 'https://example.com/mcp',
 *   namespace: 'files',
 *   auth: oauth({ redirectUrl: '/signed-in.html' }),
 * })
 * button.onclick = () => files.authorize()
 * // signed-in.html: import { finishAuthorization } from 'offstage/mcp'; await finishAuthorization()
 * ```
 * @throws ToolRegistrationError for a wrong option.
 */
export function oauth(options: OAuthOptions): MCPAuth {
  return oauthOn(thisPage, options)
}

/** See {@link oauth}; the page is asked for when it is first needed. */
export function oauthOn(findPage: () => SignInPage, options: OAuthOptions): MCPAuth {
  checkOAuthOptions(options)
  const storage = options.storage ?? memoryTokenStore()
  const servers = new Map<string, LateSignIn>()
  const forServer = (url: URL): LateSignIn => {
    const known = servers.get(url.href)
    if (known !== undefined) return known
    const page = findPage()
    const signIn = new LateSignIn(new URL(url), settingsOn(page, { ...options, storage }), page)
    servers.set(url.href, signIn)
    return signIn
  }
  return {
    forServer,
    resumeAuthorization: async () => {
      const page = findPage()
      const { ServerSignIn } = await lateSignIns()
      const returned = ServerSignIn.returned(page)
      return returned === undefined ? false : forServer(new URL(returned.attempt.server)).take(returned)
    },
  }
}

function settingsOn(page: SignInPage, options: OAuthOptions & Pick<OAuthSettings, 'storage'>): OAuthSettings {
  const { address } = page
  const redirectUrl = new URL(options.redirectUrl, address)
  if (redirectUrl.origin !== address.origin) {
    throw new ToolRegistrationError(
      `${where}: redirectUrl is on ${redirectUrl.origin}, and this page on ${address.origin}: the answer would not reach ` +
        'it. Give a page of this origin, for example "/signed-in.html".',
    )
  }
  redirectUrl.hash = ''
  return {
    ...{ mode: 'popup', clientName: address.host, timeoutMs: 300_000 },
    ...defined({ ...options }),
    redirectUrl,
  }
}

function checkOAuthOptions(options: OAuthOptions): void {
  checkOptions(options, Object.keys(names), where)
  checkMilliseconds(options.timeoutMs, 'timeoutMs', where)
  const mistake = firstMistake(options)
  if (mistake !== undefined) throw new ToolRegistrationError(`${where}: ${mistake}`)
}

function firstMistake(options: OAuthOptions): string | undefined {
  const { redirectUrl, mode, scopes, storage, clientId, clientSecret, clientMetadataUrl } = options
  if (typeof redirectUrl !== 'string' && !(redirectUrl instanceof URL)) {
    return 'redirectUrl must be the address of the page that the sign-in leads back to.'
  }
  if (mode !== undefined && mode !== 'popup' && mode !== 'redirect')
    return "mode must be 'popup' or 'redirect'."
  if (
    scopes !== undefined &&
    !(isStringList(scopes) && scopes.every((scope) => /^[!#-[\]-~]+$/.test(scope)))
  ) {
    return 'scopes must be a list of texts without spaces, quotes and backslashes (RFC 6749 §3.3).'
  }
  if (storage !== undefined && !hasMethods(storage, 'get', 'set', 'delete')) {
    return 'storage must have get, set and delete: memoryTokenStore(), sessionTokenStore(), or one of your own.'
  }
  if (clientSecret !== undefined && clientId === undefined)
    return 'clientSecret is of no use without clientId.'
  if (clientMetadataUrl !== undefined && !isDocumentAddress(clientMetadataUrl)) {
    return 'clientMetadataUrl must be an https address with a path, for example "https://app.example/client.json".'
  }
  return undefined
}

function isDocumentAddress(address: unknown): boolean {
  if (typeof address !== 'string' || !URL.canParse(address)) return false
  const { protocol, pathname } = new URL(address)
  return protocol === 'https:' && pathname !== '/'
}
