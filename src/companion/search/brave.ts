import { fetchJson } from './fetch-json.ts'
import { foundPages } from './found-pages.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://api-dashboard.search.brave.com/app/documentation/web-search/get-started */
export const brave: SearchProvider = {
  name: 'brave',
  keyName: 'BRAVE_API_KEY',
  baseUrl: 'https://api.search.brave.com',
  async search({ query, maxResults, key, baseUrl, signal }) {
    const asked = new URLSearchParams({ q: query, count: String(Math.min(maxResults, 20)) })
    const { web } = await fetchJson(`${baseUrl}/res/v1/web/search?${asked}`, {
      headers: { accept: 'application/json', 'x-subscription-token': key },
      signal,
    })
    const { results } = Object(web) as { results?: unknown }
    return foundPages(results, { title: 'title', url: 'url', snippet: 'description' }, maxResults)
  },
}
