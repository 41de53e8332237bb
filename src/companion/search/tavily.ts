import { fetchJson } from './fetch-json.ts'
import { foundPages } from './found-pages.ts'
import { limitQuery } from './limit-query.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
export const tavily: SearchProvider = {
  name: 'tavily',
  keyName: 'TAVILY_API_KEY',
  baseUrl: 'https://api.tavily.com',
  async search({ query, maxResults, key, baseUrl, signal }) {
    const { results } = await fetchJson(`${baseUrl}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      // Its own limits.
      body: JSON.stringify({
        query: limitQuery(query, { chars: 400 }),
        max_results: Math.min(maxResults, 20),
      }),
      signal,
    })
    return foundPages(results, { title: 'title', url: 'url', snippet: 'content' }, maxResults)
  },
}
