import { fetchJson } from './fetch-json.ts'
import { textOf } from './found-pages.ts'
import type { FoundPage, SearchProvider } from './search-provider.ts'

/**
 * The Instant Answer API, https://duckduckgo.com/api: an abstract and related topics, not all pages of the web. It needs
 * no key, and finds nothing for most questions.
 */
export const duckduckgo: SearchProvider = {
  name: 'duckduckgo',
  baseUrl: 'https://api.duckduckgo.com',
  async search({ query, maxResults, baseUrl, signal }) {
    const asked = new URLSearchParams({
      q: query,
      format: 'json',
      no_html: '1',
      no_redirect: '1',
      skip_disambig: '1',
    })
    const answer = await fetchJson(`${baseUrl}/?${asked}`, { signal })
    const { Heading, AbstractText, AbstractURL, Results, RelatedTopics } = answer
    const abstract = textOf(AbstractText)
    const first = abstract === '' ? [] : [pageOf({ Text: abstract, FirstURL: AbstractURL }, textOf(Heading))]
    const pages = [...first, ...topicsOf(Results), ...topicsOf(RelatedTopics)]
    return pages.filter(({ url }) => /^https?:\/\//i.test(url)).slice(0, maxResults)
  },
}

/** Topics, some of which are groups of topics. */
function topicsOf(list: unknown): FoundPage[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item: unknown) => {
    const { Topics, ...topic } = Object(item) as Topic & { readonly Topics?: unknown }
    return Array.isArray(Topics) ? Topics.map((inner: unknown) => pageOf(Object(inner))) : [pageOf(topic)]
  })
}

/** `Text` is the title and then what is said of it, with nothing sure in between; in `Result` the title is a link. */
interface Topic {
  readonly FirstURL?: unknown
  readonly Result?: unknown
  readonly Text?: unknown
}

function pageOf({ FirstURL, Result, Text }: Topic, heading = ''): FoundPage {
  const snippet = textOf(Text)
  const linked = typeof Result === 'string' ? textOf(/<a\b[^>]*>(.*?)<\/a>/is.exec(Result)?.[1]) : ''
  return { title: heading || linked || snippet, url: textOf(FirstURL), snippet }
}
