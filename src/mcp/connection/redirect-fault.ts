import type { Stop } from '../../tool/abort.ts'
import { McpError } from './mcp-connection.ts'
import { probe } from './probe.ts'
import { shownUrl } from './shown-url.ts'

/**
 * What to say of an answer that leads elsewhere; undefined when it does not. Redirects are not followed: a browser does
 * not show where one leads, so nobody could decide whether what is sent may go there.
 */
export async function redirectFault(response: Response, url: URL, stop: Stop): Promise<McpError | undefined> {
  const { status, type, headers } = response
  if (type !== 'opaqueredirect' && !redirects.includes(status)) return undefined
  void response.body?.cancel().catch(() => {})
  const target = addressIn(headers.get('location'), url) ?? (await whereItLeads(url, stop))
  return new McpError(
    `${shownUrl(url)} redirects to ${target ?? 'an address that the browser does not tell'}, and redirects are not followed: ` +
      `what is sent could reach a stranger. Use ${target === undefined ? 'the final address' : 'that address'} as ` +
      'the url if you trust it.',
    { code: 'redirect', mayHaveRun: false, ...(status === 0 ? {} : { status }) },
  )
}

const redirects = [301, 302, 303, 307, 308]

/** Only a request that follows it tells a page; it carries nothing. */
async function whereItLeads(url: URL, stop: Stop): Promise<string | undefined> {
  const answer = await probe(url, {}, stop)
  return answer?.redirected ? addressIn(answer.url, url) : undefined
}

/** Without what may be a secret: user info, query and fragment. */
function addressIn(location: string | null, base: URL): string | undefined {
  if (location === null || !URL.canParse(location, base)) return undefined
  const { origin, pathname } = new URL(location, base)
  return `${origin}${pathname}`
}
