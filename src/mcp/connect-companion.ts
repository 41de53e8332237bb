import { isRecord, isStringList } from '../tool/value-kinds.ts'
import { CompanionError, type CompanionErrorCode } from './companion-error.ts'
import { type CompanionTexts, companionTextsEn } from './companion-texts.ts'
import {
  type CompanionServerOptions,
  ConnectedCompanion,
  type PairedCompanion,
} from './connected-companion.ts'
import { cspWatch } from './connection/csp-watch.ts'
import { diagnose } from './connection/diagnosis.ts'
import type { McpErrorCode } from './connection/mcp-connection.ts'
import { isMcpError } from './is-mcp-error.ts'
import { memoryTokenStore, sessionTokenStore, type TokenStore } from './oauth/token-store.ts'
import { isLoopback } from './server-url.ts'

/** What {@link connectCompanion} takes beside the link. */
export interface CompanionConnectOptions
  extends Pick<CompanionServerOptions, 'needsApproval' | 'elicit' | 'fetch' | 'timeoutMs'> {
  /**
   * Where the token is kept, which is of use until the companion ends. @default the tab's `sessionStorage`, so that a
   * page that is loaded anew needs no new link; where there is none, memory
   */
  readonly tokenStore?: TokenStore
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<CompanionTexts>
}

/** The browser may ask the person whether the page may use this machine. In milliseconds. */
const pairingMs = 120_000

/**
 * Pairs the page with a companion (`npx offstage-companion`): exchanges the one-time code of the link that it printed
 * for a token, and connects. Call it from a click on the page, not in a worker: browsers may ask the person whether the
 * page may use this machine. A link whose companion this tab is paired with already is not used again.
 *
 * @throws {@link CompanionError} that tells the person what to do.
 * @example
 * const companion = await connectCompanion(linkBox.value)
 * const agent = new Agent({ model, tools: [new CLITool({ companion }), companion.server('files')] })
 */
export async function connectCompanion(
  link: string | URL,
  options: CompanionConnectOptions = {},
): Promise<ConnectedCompanion> {
  const { tokenStore = usualStore(), texts, ...clientOptions } = options
  const { url, code } = readLink(link)
  const pairing: PairingTry = { url, code, fetch: options.fetch, texts: { ...companionTextsEn, ...texts } }
  if (url === '') throw problem(pairing, 'bad-link')
  const key = `offstage companion ${url}`
  const known = readPaired(url, await tokenStore.get(key))
  if (known !== undefined) {
    const companion = await tryConnect(pairing, known, clientOptions)
    if (companion !== undefined) return companion
    // It was started again since: what it knew is gone.
    await tokenStore.delete(key)
  }
  if (code === '') throw problem(pairing, known === undefined ? 'bad-link' : 'link-used')
  const paired = await pair(pairing)
  await tokenStore.set(key, JSON.stringify(paired))
  const companion = await tryConnect(pairing, paired, clientOptions)
  if (companion === undefined)
    throw problem(pairing, 'failed', 'it refused the token that it has just given.')
  return companion
}

interface PairingTry {
  /** Empty for what is no link. */
  readonly url: string
  readonly code: string
  readonly fetch: typeof fetch | undefined
  readonly texts: CompanionTexts
}

function usualStore(): TokenStore {
  const store = sessionTokenStore()
  try {
    void store.get('offstage companion')
    return store
  } catch {
    return memoryTokenStore()
  }
}

function readLink(link: string | URL): { readonly url: string; readonly code: string } {
  const text = String(link).trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  // Only this machine: a link from elsewhere must not have the page talk to a stranger.
  if (url === undefined || url.protocol !== 'http:' || !isLoopback(url.hostname)) return { url: '', code: '' }
  return { url: url.origin, code: new URLSearchParams(url.hash.slice(1)).get('pair') ?? '' }
}

function readPaired(url: string, text: string | undefined): PairedCompanion | undefined {
  try {
    const { token, servers }: { token?: unknown; servers?: unknown } = Object(JSON.parse(text ?? ''))
    return typeof token === 'string' && isStringList(servers) ? { url, token, servers } : undefined
  } catch {
    return undefined
  }
}

/** The companion, connected; undefined when it does not know the token. */
async function tryConnect(
  pairing: PairingTry,
  paired: PairedCompanion,
  options: CompanionServerOptions,
): Promise<ConnectedCompanion | undefined> {
  const companion = new ConnectedCompanion(paired, options)
  try {
    await companion.connect()
    return companion
  } catch (error) {
    await companion.close()
    if (isMcpError(error) && error.status === 403) return undefined
    throw readFault(pairing, error)
  }
}

async function pair(pairing: PairingTry): Promise<PairedCompanion> {
  const { url, code } = pairing
  const answer = await send(pairing, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  })
  const body: unknown = await answer.json().catch(() => undefined)
  const paired = answer.ok ? readPaired(url, JSON.stringify(body)) : undefined
  if (paired !== undefined) return paired
  const { error } = Object(body) as { error?: unknown }
  const { data } = Object(error) as { data?: unknown }
  const refusal = isRecord(data) ? refusals[String(data.code)] : undefined
  throw problem(
    pairing,
    refusal ?? 'failed',
    `it answered ${answer.status}. Is it a companion that runs there?`,
  )
}

/** What the companion says, as the page says it. */
const refusals: Readonly<Record<string, CompanionErrorCode>> = {
  'code-used': 'link-used',
  'code-expired': 'link-expired',
  'code-wrong': 'link-unknown',
  'too-many-tries': 'too-many-tries',
  origin: 'origin',
}

async function send(pairing: PairingTry, init: RequestInit): Promise<Response> {
  const { url, fetch: given } = pairing
  const request = given ?? ((...all: Parameters<typeof fetch>) => fetch(...all))
  const address = new URL('/pair', url)
  const watch = cspWatch(address)
  const signal = AbortSignal.timeout(pairingMs)
  try {
    return await request(address, { ...init, credentials: 'omit', redirect: 'error', signal })
  } catch (cause) {
    const { headers } = new Request(address, init)
    // A companion tells every page that it runs, and nothing else.
    const health = new URL('/health', url)
    const stop = AbortSignal.timeout(pairingMs)
    throw readFault(pairing, await diagnose({ url: health, cause, headers, stop, watch, diagnosed: true }))
  } finally {
    watch.stop()
  }
}

/** What stands behind a failure of the connection, for a person. */
const codes: Partial<Readonly<Record<McpErrorCode, CompanionErrorCode>>> = {
  unreachable: 'not-running',
  cors: 'origin',
  csp: 'csp',
  'local-network': 'local-network',
}

function readFault(pairing: PairingTry, error: unknown): CompanionError {
  if (!isMcpError(error)) return problem(pairing, 'failed', String(error), error)
  return problem(pairing, codes[error.code] ?? 'failed', error.message, error)
}

function problem(
  { url, texts }: PairingTry,
  code: CompanionErrorCode,
  reason = '',
  cause?: unknown,
): CompanionError {
  const { origin = 'http://localhost:5173' } = globalThis as { readonly origin?: string }
  const start = `npx offstage-companion --allow git,ls,grep --root . --origin ${origin}`
  return new CompanionError(texts[code]({ url, origin, start, reason }), code, { cause })
}
