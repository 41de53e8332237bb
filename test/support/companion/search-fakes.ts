import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Stands on loopback for all four providers, each below a path of its own. */
export interface SearchFakes {
  readonly baseUrls: Readonly<Record<'tavily' | 'duckduckgo' | 'brave' | 'serpapi', string>>
  /** What came, in order: the provider, its path, and the key that it found. */
  readonly asked: { readonly provider: string; readonly path: string; readonly key: string | undefined }[]
  /** What a provider answers in place of its usual answer: a status, a body, or nothing ever. */
  readonly behave: Record<string, { readonly status?: number; readonly body?: string } | 'silent' | undefined>
  close(): Promise<void>
}

/** In the formats that the providers document. */
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
        score: 0.81,
        raw_content: null,
      },
      { title: 'Second', url: 'https://tavily.example/2', content: 'More.', score: 0.5, raw_content: null },
    ],
    response_time: 1.67,
    request_id: '123e4567-e89b-12d3-a456-426614174111',
  },
  // https://duckduckgo.com/api
  duckduckgo: {
    Abstract: 'From DuckDuckGo.',
    AbstractSource: 'Wikipedia',
    AbstractText: 'From DuckDuckGo.',
    AbstractURL: 'https://en.wikipedia.org/wiki/Theatre',
    Heading: 'Theatre',
    Answer: '',
    AnswerType: '',
    Type: 'A',
    RelatedTopics: [
      {
        FirstURL: 'https://duckduckgo.com/Stage',
        Icon: { Height: '', URL: '', Width: '' },
        Result: '<a href="https://duckduckgo.com/Stage">Stage</a> - Where it happens',
        Text: 'Stage - Where it happens',
      },
      { Name: 'Groups', Topics: [{ FirstURL: 'https://duckduckgo.com/Wings', Text: 'Wings - Beside it' }] },
    ],
    Results: [],
  },
  // https://api-dashboard.search.brave.com/app/documentation/web-search/responses
  brave: {
    type: 'search',
    query: { original: 'offstage', more_results_available: true },
    mixed: { type: 'mixed', main: [{ type: 'web', index: 0, all: false }], top: [], side: [] },
    web: {
      type: 'search',
      family_friendly: true,
      results: [
        {
          title: 'From Brave',
          url: 'https://brave.example/1',
          is_source_local: false,
          description: 'Tools in <strong>workers</strong> &amp; pages.',
          language: 'en',
          type: 'search_result',
          subtype: 'generic',
        },
      ],
    },
  },
  // https://serpapi.com/organic-results
  serpapi: {
    search_metadata: { id: '1', status: 'Success' },
    search_parameters: { engine: 'google', q: 'offstage' },
    organic_results: [
      {
        position: 1,
        title: 'From SerpApi',
        link: 'https://serpapi.example/1',
        displayed_link: 'serpapi.example',
        snippet: 'Tools and workers.',
      },
    ],
  },
}

/** Starts the four. */
export async function startSearchFakes(): Promise<SearchFakes> {
  const asked: SearchFakes['asked'] = []
  const behave: SearchFakes['behave'] = {}
  const server = createServer((request, response) => {
    const [, provider = '', ...rest] = (request.url ?? '').split('/')
    asked.push({ provider, path: `/${rest.join('/')}`, key: keyIn(request) })
    const way = behave[provider]
    if (way === 'silent') return
    response.writeHead(way?.status ?? 200, { 'content-type': 'application/json' })
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
