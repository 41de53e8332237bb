import { brave } from './brave.ts'
import { duckduckgo } from './duckduckgo.ts'
import type { FoundPage, ProviderName, SearchProvider } from './search-provider.ts'
import { serpapi } from './serpapi.ts'
import { tavily } from './tavily.ts'

const providers: readonly SearchProvider[] = [tavily, duckduckgo, brave, serpapi]

/** How the web is searched. */
export interface WebSearchOptions {
  /** Other addresses of the providers, for tests. Not open to pages or to the command line. */
  readonly baseUrls?: Partial<Readonly<Record<ProviderName, string>>>
  /** Of one provider, in milliseconds. @default 8000 */
  readonly timeoutMs?: number
}

/** A provider that was passed over, and why. */
export interface PassedOver {
  readonly source: string
  readonly reason: string
}

/** What was found, by whom, and who was passed over before. */
export interface WebSearchAnswer {
  /** Absent when every provider was passed over. */
  readonly source?: ProviderName
  readonly results: readonly FoundPage[]
  readonly degraded: readonly PassedOver[]
}

/** Searches with the first provider that works. */
export type WebSearch = (query: string, maxResults: number, signal: AbortSignal) => Promise<WebSearchAnswer>

/**
 * Tries Tavily, DuckDuckGo, Brave and SerpAPI in turn. One without a key, one that fails and one that finds nothing is
 * passed over. No key is in what comes back.
 *
 * @param environment - Where the keys are: TAVILY_API_KEY, BRAVE_API_KEY and SERPAPI_API_KEY.
 */
export function webSearch(
  environment: Readonly<Record<string, string | undefined>>,
  { baseUrls = {}, timeoutMs = 8_000 }: WebSearchOptions = {},
): WebSearch {
  const keyOf = ({ keyName }: SearchProvider) => (keyName === undefined ? '' : environment[keyName]?.trim())
  return async (query, maxResults, signal) => {
    const degraded: PassedOver[] = []
    let found = false
    for (const provider of providers) {
      signal.throwIfAborted()
      const { name, keyName } = provider
      const key = keyOf(provider)
      if (keyName !== undefined && !key) {
        degraded.push({ source: name, reason: `no key: ${keyName} is not set` })
        continue
      }
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const baseUrl = baseUrls[name] ?? provider.baseUrl
      try {
        const results = await provider.search({ query, maxResults, key: key ?? '', baseUrl, signal: limit })
        if (results.length > 0)
          return { source: name, results: results.map((page) => scrubPage(page, key)), degraded }
        found = true
        degraded.push({ source: name, reason: 'it found nothing' })
      } catch (error) {
        signal.throwIfAborted()
        degraded.push({ source: name, reason: scrub(reasonOf(error, limit), key) })
      }
    }
    // That nothing was found is an answer, when there was one who looked.
    const last = found ? degraded.find(({ reason }) => reason === 'it found nothing') : undefined
    return last === undefined
      ? { results: [], degraded }
      : { source: last.source as ProviderName, results: [], degraded: degraded.filter((one) => one !== last) }
  }
}

function reasonOf(error: unknown, limit: AbortSignal): string {
  if (limit.aborted) return 'it did not answer in time'
  return error instanceof Error ? error.message : String(error)
}

/** Messages are written so that they hold no key; this is for what a provider may come up with. */
function scrub(text: string, key: string | undefined): string {
  if (!key) return text
  return text.replaceAll(key, '[key]').replaceAll(encodeURIComponent(key), '[key]')
}

function scrubPage({ title, url, snippet }: FoundPage, key: string | undefined): FoundPage {
  return { title: scrub(title, key), url: scrub(url, key), snippet: scrub(snippet, key) }
}
