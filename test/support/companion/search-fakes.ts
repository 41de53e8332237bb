import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands on loopback for all four providers, each below a path of its own. */
export interface SearchFakes {
  readonly baseUrls: Readonly<Record<'tavily' | 'duckduckgo' | 'brave' | 'serpapi', string>>
  /** What came, in order: the provider, its path, what it was asked, and the key that it found. */
  readonly asked: {
    readonly provider: string
    readonly path: string
    readonly request: Readonly<Record<string, unknown>>
    readonly key: string | undefined
  }[]
  /** What a provider answers in place of its usual answer: a status, a body, or nothing ever. */
  readonly behave: Record<string, { readonly status?: number; readonly body?: string } | 'silent' | undefined>
  close(): Promise<void>
}

/** In the formats that the providers document, or answer in. */
const usual: Readonly<Record<string, unknown>> = {
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    query: 'offstage',
    answer: null,
    images: [],
    results: [
      {
        title: 'From Tavily',
        url: 'https://tavily.example/1',
        content: 'Tools & workers.',
        score: 0.81025416,
        raw_content: null,
        favicon: 'https://tavily.example/favicon.png',
      },
      { title: 'Second', url: 'https://tavily.example/2', content: 'More.', score: 0.5, raw_content: null },
    ],
    auto_parameters: { topic: 'general', search_depth: 'basic' },
    response_time: '1.67',
    usage: { credits: 1 },
    request_id: '123e4567-e89b-12d3-a456-426614174111',
  },
  // https://duckduckgo.com/api names the fields; how they are filled is as https://api.duckduckgo.com/?q=EUR&format=json
  // answered in October 2026: a title is told from what follows by the link in "Result" only.
  duckduckgo: {
    Abstract: 'From DuckDuckGo.',
    AbstractSource: 'Wikipedia',
    AbstractText: 'From DuckDuckGo.',
    AbstractURL: 'https://en.wikipedia.org/wiki/Theatre',
    Answer: '',
    AnswerType: '',
    Definition: '',
    DefinitionSource: '',
    DefinitionURL: '',
    Entity: '',
    Heading: 'Theatre',
    Image: '',
    ImageHeight: 0,
    ImageIsLogo: 0,
    ImageWidth: 0,
    Infobox: '',
    Redirect: '',
    RelatedTopics: [
      {
        FirstURL: 'https://duckduckgo.com/Stage_(theatre)',
        Icon: { Height: '', URL: '/i/a726b664.jpg', Width: '' },
        Result:
          '<a href="https://duckduckgo.com/Stage_(theatre)">Stage (theatre)</a>A space for the performance.',
        Text: 'Stage (theatre) A space for the performance.',
      },
      { Name: 'Groups', Topics: [{ FirstURL: 'https://duckduckgo.com/Wings', Text: 'Wings Beside it' }] },
    ],
    Results: [],
    Type: 'A',
    meta: { src_name: 'Wikipedia', status: 'live' },
  },
  // https://api-dashboard.search.brave.com/api-reference/web/search/get
  brave: {
    type: 'search',
    query: { original: 'offstage', is_navigational: false, more_results_available: true },
    mixed: { type: 'mixed', main: [{ type: 'web', index: 0, all: false }], top: [], side: [] },
    web: {
      type: 'search',
      family_friendly: true,
      results: [
        {
          title: 'From Brave',
          url: 'https://brave.example/1',
          is_source_local: false,
          is_source_both: false,
          description: 'Tools in <strong>workers</strong> &amp; pages.',
          profile: { name: 'Brave example', url: 'https://brave.example/1', long_name: 'brave.example' },
          language: 'en',
          family_friendly: true,
          type: 'search_result',
          subtype: 'generic',
          is_live: false,
          meta_url: { scheme: 'https', netloc: 'brave.example', hostname: 'brave.example', path: '› 1' },
        },
      ],
    },
  },
  // https://serpapi.com/organic-results
  serpapi: {
    search_metadata: { id: '644b696a15afff2c2fdb8474', status: 'Success', total_time_taken: 1.26 },
    search_parameters: { engine: 'google', q: 'offstage', google_domain: 'google.com', device: 'desktop' },
    search_information: { query_displayed: 'offstage', organic_results_state: 'Results for exact spelling' },
    organic_results: [
      {
        position: 1,
        title: 'From SerpApi',
        link: 'https://serpapi.example/1',
        redirect_link: 'https://www.google.com/url?url=https://serpapi.example/1',
        displayed_link: 'https://serpapi.example › 1',
        snippet: 'Tools and workers.',
        snippet_highlighted_words: ['Tools'],
        source: 'SerpApi example',
      },
    ],
  },
}

/** Starts the four. */
export async function startSearchFakes(): Promise<SearchFakes> {
  const asked: SearchFakes['asked'] = []
  const behave: SearchFakes['behave'] = {}
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1')
    const [, provider = '', ...rest] = url.pathname.split('/')
    const { api_key: _key, ...inUrl } = Object.fromEntries(url.searchParams)
    const body = (await request.toArray()).join('')
    const asking = body === '' ? inUrl : JSON.parse(body)
    asked.push({ provider, path: `/${rest.join('/')}`, request: asking, key: keyIn(request) })
    const way = behave[provider]
    if (way === 'silent') return
    const type = provider === 'duckduckgo' ? 'application/x-javascript' : 'application/json'
    response.writeHead(way?.status ?? 200, { 'content-type': type })
    response.end(way?.body ?? JSON.stringify(usual[provider]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const at = (name: string) => `${origin}/${name}`
  return {
    baseUrls: {
      tavily: at('tavily'),
      duckduckgo: at('duckduckgo'),
      brave: at('brave'),
      serpapi: at('serpapi'),
    },
    asked,
    behave,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** Where each provider wants its key. */
function keyIn({ headers, url = '' }: IncomingMessage): string | undefined {
  const { authorization, 'x-subscription-token': token } = headers
  const inUrl = new URL(url, 'http://127.0.0.1').searchParams.get('api_key') ?? undefined
  return authorization?.replace(/^Bearer /, '') ?? token?.toString() ?? inUrl
}
