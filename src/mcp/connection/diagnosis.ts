import type { Stop } from '../../tool/abort.ts'
import { errorToData } from '../../tool/error-data.ts'
import { corsFault } from './cors-fault.ts'
import type { CspWatch } from './csp-watch.ts'
import { McpError } from './mcp-connection.ts'
import { wait } from './wait.ts'

export interface FailedRequest {
  readonly url: URL
  readonly cause: unknown
  /** What was sent. */
  readonly headers: Headers
  readonly stop: Stop
  readonly watch: CspWatch
  readonly diagnosed: boolean
}

/**
 * Finds out why a request got no answer. A browser says only "Failed to fetch" whether the server is down, does not
 * allow the page's origin, or the page may not use that address; so other requests are tried, which tell.
 */
export async function diagnose(failed: FailedRequest): Promise<McpError> {
  const { url, diagnosed, cause } = failed
  // Only pages and workers have one, and rules about others.
  const origin = globalThis.origin as string | undefined
  // A browser says nothing else; any other error is one of the app's own `fetch`.
  const isBrowsers = errorToData(cause).name === 'TypeError'
  if (origin === undefined || !diagnosed || !isBrowsers) return unreachable(failed)
  return (
    (await refusedByPolicy(failed)) ??
    mixedContent(failed) ??
    (await refusedForNetwork(failed)) ??
    (url.origin === origin ? undefined : await corsFault(failed, origin)) ??
    unreachable(failed)
  )
}

function unreachable({ url, cause }: FailedRequest): McpError {
  const { message, cause: deeper } = errorOf(cause)
  const { code } = errorOf(deeper)
  const detail = [message, ...(typeof code === 'string' ? [code] : [])].join(', ')
  return new McpError(
    `${url.origin} does not answer (${detail}): is the server running, and is the port right?${unseen(url)}`,
    {
      code: 'unreachable',
      // Nothing was sent where no connection came about. Browsers do not tell, so there it may have been.
      mayHaveRun: code !== 'ECONNREFUSED' && code !== 'ENOTFOUND',
      cause,
    },
  )
}

/** Under Cross-Origin-Embedder-Policy the probe of {@link corsFault} fails, too, where the server allows no page. */
function unseen(url: URL): string {
  if (globalThis.crossOriginIsolated !== true || url.origin === globalThis.origin) return ''
  return (
    ` Or it does not allow pages of ${globalThis.origin}, with the header "Access-Control-Allow-Origin": ` +
    'an isolated page (Cross-Origin-Embedder-Policy) cannot tell.'
  )
}

function errorOf(value: unknown): { message: string; code?: unknown; cause?: unknown } {
  const { message } = errorToData(value)
  return {
    message,
    ...(value instanceof Error ? { code: (value as { code?: unknown }).code, cause: value.cause } : {}),
  }
}

async function refusedByPolicy({ url, watch, stop, cause }: FailedRequest): Promise<McpError | undefined> {
  // The report comes after the failure, with a task of its own.
  await wait(violationMs, stop)
  const directive = watch.refusedBy()
  if (directive === undefined) return undefined
  return new McpError(
    `The page's Content Security Policy does not allow ${url.origin}. Add it to the directive ${directive}.`,
    { code: 'csp', mayHaveRun: false, cause },
  )
}

const violationMs = 50

function mixedContent({ url, cause }: FailedRequest): McpError | undefined {
  if (!globalThis.isSecureContext || url.protocol !== 'http:' || isLocal(url.hostname)) return undefined
  if (!globalThis.origin.startsWith('https:')) return undefined
  return new McpError(`A page on https may not use ${url.origin}: browsers block http there. Use https.`, {
    code: 'unreachable',
    mayHaveRun: false,
    cause,
  })
}

/** https://wicg.github.io/local-network-access/: a page from outside needs a permission to use addresses inside. */
async function refusedForNetwork({ url, cause }: FailedRequest): Promise<McpError | undefined> {
  if (!isLocal(url.hostname) || isLocalPage()) return undefined
  const names = isLoopback(url.hostname) ? ['loopback-network', 'local-network-access'] : ['local-network']
  for (const name of names) {
    const state = await permission(name)
    if (state !== 'denied' && state !== 'prompt') continue
    return new McpError(
      `The browser keeps this page from ${url.origin}: the permission "${name}" is ` +
        `${state === 'denied' ? 'denied; allow it in the settings of this site' : 'not given yet; connect from a click and allow it'}.`,
      { code: 'local-network', mayHaveRun: false, cause },
    )
  }
  return undefined
}

async function permission(name: string): Promise<PermissionState | undefined> {
  try {
    // The name is newer than the types.
    return (await navigator.permissions.query({ name: name as PermissionName })).state
  } catch {
    return undefined
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.')
}

/** A page from a local address needs no permission; one without an address may. */
function isLocalPage(): boolean {
  const { origin } = globalThis
  return URL.canParse(origin) && isLocal(new URL(origin).hostname)
}

/** Loopback, and the networks of RFC 1918, RFC 4193 and RFC 6762. */
function isLocal(host: string): boolean {
  return isLoopback(host) || /^(10|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\.|^\[f[cd]|\.local$/.test(host)
}
