import { isRecord } from '../../tool/value-kinds.ts'
import type { SearchResult, SearchSource } from './search-source.ts'

/** What {@link mediaWikiSource} takes. */
export interface MediaWikiOptions {
  /** The wiki's `api.php`. @default English Wikipedia: `https://en.wikipedia.org/w/api.php` */
  readonly apiUrl?: string
  /** @default the host of the address */
  readonly name?: string
  /** What is used in place of the page's own `fetch`. */
  readonly fetch?: typeof fetch
}

/**
 * Searches a wiki, Wikipedia for one, from the page itself: it needs no key and no companion. Protocol:
 * https://www.mediawiki.org/wiki/API:Search and, for requests from other sites,
 * https://www.mediawiki.org/wiki/API:Cross-site_requests (`origin=*`, which sends no cookies).
 */
export function mediaWikiSource(options: MediaWikiOptions = {}): SearchSource {
  const { apiUrl = 'https://en.wikipedia.org/w/api.php', fetch: given } = options
  const address = new URL(apiUrl)
  return {
    name: options.name ?? address.hostname,
    async search(query, { maxResults, signal }) {
      const asked = new URL(address)
      asked.search = new URLSearchParams({
        ...{ action: 'query', list: 'search', srsearch: query, srlimit: String(Math.min(maxResults, 50)) },
        ...{ srprop: 'snippet', format: 'json', formatversion: '2', origin: '*' },
      }).toString()
      const answer = await (given ?? fetch)(asked, { signal, credentials: 'omit' })
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
      return readPages(await answer.json(), address)
    },
  }
}

function readPages(body: unknown, { origin }: URL): SearchResult[] {
  const { error, query } = Object(body) as { error?: unknown; query?: unknown }
  // Errors of the interface come with the status 200.
  if (isRecord(error)) throw new Error(`it answered with the error ${String(error.code)}`)
  const { search } = Object(query) as { search?: unknown }
  if (!Array.isArray(search)) throw new Error('its answer is no answer to a search')
  return search.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.pageid !== 'number') return []
    const { title, pageid, snippet } = item
    // The only address of a page that needs no knowledge of how the wiki writes addresses.
    return [{ title: plain(title), url: `${origin}/?curid=${pageid}`, snippet: plain(snippet) }]
  })
}

/** Text without the marks of what was searched for. */
function plain(html: unknown): string {
  if (typeof html !== 'string') return ''
  return html
    .replace(/<\/?[a-z][^>]{0,200}>/gi, '')
    .replace(/&(amp|lt|gt|quot|#0?39);/g, (whole, name: string) => references[name] ?? whole)
    .trim()
}

const references: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#039': "'" },
}
