import { fetchJson } from './fetch-json.ts'
import { foundPages } from './found-pages.ts'
import type { SearchProvider } from './search-provider.ts'

/** https://serpapi.com/search-api, and for answers without results https://serpapi.com/search-errors */
export const serpapi: SearchProvider = {
  name: 'serpapi',
  keyName: 'SERPAPI_API_KEY',
  baseUrl: 'https://serpapi.com',
  async search({ query, maxResults, key, baseUrl, signal }) {
    // It takes the key in the address only.
    const asked = new URLSearchParams({ engine: 'google', q: query, output: 'json', api_key: key })
    const answer = await fetchJson(`${baseUrl}/search?${asked}`, { signal })
    const { organic_results: results, search_metadata: metadata, error } = answer
    const { status } = Object(metadata) as { status?: unknown }
    // "error" also stands in an answer that found nothing, whose status is "Success".
    if (status === 'Error' || (status !== 'Success' && typeof error === 'string')) {
      throw new Error('it answered with an error')
    }
    return foundPages(results, { title: 'title', url: 'link', snippet: 'snippet' }, maxResults)
  },
}
