import { fetchJson } from './fetch-json.ts'
import { foundPages } from './found-pages.ts'
import { limitQuery } from './limit-query.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://api-dashboard.search.brave.com/api-reference/web/search/get */
export const brave: SearchProvider = {
  name: 'brave',
  keyName: 'BRAVE_API_KEY',
  baseUrl: 'https://api.search.brave.com',
  async search({ query, maxResults, key, baseUrl, signal }) {
    const asked = new URLSearchParams({
      q: limitQuery(query, { chars: 400, words: 50 }),
      count: String(Math.min(maxResults, 20)),
      // Only pages: news and videos are in lists of their own, which are not read.
      result_filter: 'web',
    })
    const { web } = await fetchJson(`${baseUrl}/res/v1/web/search?${asked}`, {
      headers: { accept: 'application/json', 'x-subscription-token': key },
      signal,
    })
    const { results } = Object(web) as { results?: unknown }
    return foundPages(results, { title: 'title', url: 'url', snippet: 'description' }, maxResults)
  },
}
