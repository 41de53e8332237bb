import { fetchJson } from './fetch-json.ts'
import { foundPages } from './found-pages.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://serpapi.com/search-api */
export const serpapi: SearchProvider = {
  name: 'serpapi',
  keyName: 'SERPAPI_API_KEY',
  baseUrl: 'https://serpapi.com',
  async search({ query, maxResults, key, baseUrl, signal }) {
    // It takes the key in the address only.
    const asked = new URLSearchParams({ engine: 'google', q: query, output: 'json', api_key: key })
    const { organic_results: results, error } = await fetchJson(`${baseUrl}/search?${asked}`, { signal })
    // An answer without results says so in "error", with the status 200.
    if (results === undefined && typeof error === 'string' && !/hasn't returned any results/.test(error)) {
      throw new Error('it answered with an error')
    }
    return foundPages(results, { title: 'title', url: 'link', snippet: 'snippet' }, maxResults)
  },
}
