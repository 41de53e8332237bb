import { ToolExecutor } from 'offstage'
import { type Companion, startCompanion } from 'offstage/companion'
import { SearchTool } from 'offstage/tools'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { pairedPage } from '../../support/companion/paired-page.ts'
import { type SearchFakes, startSearchFakes } from '../../support/companion/search-fakes.ts'
import { fenced } from '../../support/fenced.ts'

const keys = {
  TAVILY_API_KEY: 'tvly-very secret/+',
  BRAVE_API_KEY: 'brave-very-secret',
  SERPAPI_API_KEY: 'serp-very-secret',
}
let fakes: SearchFakes
let companion: Companion
let search: (query?: string) => ReturnType<ToolExecutor['execute']>
const printed: string[] = []

beforeAll(async () => {
  fakes = await startSearchFakes()
  companion = await startCompanion({
    search: { baseUrls: fakes.baseUrls, timeoutMs: 1_000 },
    log: (line) => printed.push(line),
  })
  const page = await pairedPage(companion.pairingLink())
  const gate = new ToolExecutor({ tools: [new SearchTool({ companion: page, maxResults: 2 })] })
  search = (query = 'offstage') => gate.execute({ name: 'search', input: { query } })
})

afterAll(async () => {
  await companion.close()
  await fakes.close()
})

beforeEach(() => {
  for (const [name, key] of Object.entries(keys)) vi.stubEnv(name, key)
  for (const provider of Object.keys(fakes.behave)) delete fakes.behave[provider]
  fakes.asked.length = 0
  return () => vi.unstubAllEnvs()
})

it('Tavily is asked first, with its key in a header', async () => {
  const result = await search()
  const request = { query: 'offstage', max_results: 2 }
  expect(fakes.asked).toEqual([{ provider: 'tavily', path: '/search', request, key: keys.TAVILY_API_KEY }])
  expect(result).toMatchObject({
    outcome: 'success',
    origin: 'builtin',
    response: {
      text: fenced(
        '1. From Tavily\nhttps://tavily.example/1\nTools & workers.\n\n2. Second\nhttps://tavily.example/2\nMore.',
      ),
      data: {
        source: 'tavily',
        results: [
          { title: 'From Tavily', url: 'https://tavily.example/1', snippet: 'Tools & workers.' },
          { title: 'Second', url: 'https://tavily.example/2', snippet: 'More.' },
        ],
        degraded: [],
      },
    },
  })
})

it('a provider without a key is skipped and named', async () => {
  vi.stubEnv('TAVILY_API_KEY', '')
  const { response } = await search()
  expect(response.data).toMatchObject({
    source: 'duckduckgo',
    results: [
      { title: 'Theatre', url: 'https://en.wikipedia.org/wiki/Theatre', snippet: 'From DuckDuckGo.' },
      {
        title: 'Stage (theatre)',
        url: 'https://duckduckgo.com/Stage_(theatre)',
        snippet: 'Stage (theatre) A space for the performance.',
      },
    ],
    degraded: [{ source: 'tavily', reason: 'no key: TAVILY_API_KEY is not set' }],
  })
})

it('providers that fail are passed over in their order', async () => {
  fakes.behave.tavily = { status: 401, body: JSON.stringify({ detail: { error: keys.TAVILY_API_KEY } }) }
  fakes.behave.duckduckgo = { body: JSON.stringify({ AbstractText: '', RelatedTopics: [], Results: [] }) }
  const { response } = await search()
  expect(response.data).toEqual({
    source: 'brave',
    results: [{ title: 'From Brave', url: 'https://brave.example/1', snippet: 'Tools in workers & pages.' }],
    degraded: [
      { source: 'tavily', reason: 'it answered 401 (it does not accept the key)' },
      { source: 'duckduckgo', reason: 'it found nothing' },
    ],
  })
  fakes.behave.brave = { body: 'not JSON' }
  expect((await search()).response.data).toMatchObject({
    source: 'serpapi',
    results: [{ title: 'From SerpApi', url: 'https://serpapi.example/1', snippet: 'Tools and workers.' }],
    degraded: [{}, {}, { source: 'brave', reason: 'its answer is not JSON' }],
  })
  expect(fakes.asked.slice(-3)).toEqual([
    {
      provider: 'duckduckgo',
      path: '/',
      request: { q: 'offstage', format: 'json', no_html: '1', no_redirect: '1', skip_disambig: '1' },
      key: undefined,
    },
    {
      provider: 'brave',
      path: '/res/v1/web/search',
      request: { q: 'offstage', count: '2', result_filter: 'web' },
      key: keys.BRAVE_API_KEY,
    },
    {
      provider: 'serpapi',
      path: '/search',
      request: { engine: 'google', q: 'offstage', output: 'json' },
      key: keys.SERPAPI_API_KEY,
    },
  ])
})

it('all failing is an error with every reason and no key', async () => {
  fakes.behave.tavily = { status: 500, body: keys.TAVILY_API_KEY }
  fakes.behave.duckduckgo = 'silent'
  fakes.behave.brave = { status: 302 }
  fakes.behave.serpapi = { body: JSON.stringify({ error: `Invalid API key: ${keys.SERPAPI_API_KEY}` }) }
  const result = await search()
  expect(result.outcome).toBe('error')
  expect(result.response.text).toContain(
    'tavily: it answered 500; duckduckgo: it did not answer in time; brave: it could not be reached; ' +
      'serpapi: it answered with an error.',
  )
  const all = JSON.stringify(result) + printed.join('\n')
  for (const key of Object.values(keys)) {
    expect(all).not.toContain(key)
    expect(all).not.toContain(encodeURIComponent(key))
  }
})

it('nothing found anywhere is an answer, and no error', async () => {
  fakes.behave.tavily = { body: JSON.stringify({ results: [] }) }
  fakes.behave.duckduckgo = { status: 500 }
  fakes.behave.brave = { status: 429 }
  // https://serpapi.com/search-errors
  fakes.behave.serpapi = {
    body: JSON.stringify({
      search_metadata: { status: 'Success' },
      search_information: { organic_results_state: 'Fully empty' },
      error: "Google hasn't returned any results for this query.",
    }),
  }
  const result = await search('xyzzy')
  expect(result).toMatchObject({
    outcome: 'success',
    response: {
      text: fenced('Nothing was found for "xyzzy". Try other or fewer words.'),
      data: { source: 'tavily' },
    },
  })
  vi.stubEnv('TAVILY_API_KEY', '')
  expect((await search('xyzzy')).response.data).toMatchObject({ source: 'serpapi', results: [] })
  fakes.behave.serpapi = {
    body: JSON.stringify({ search_metadata: { status: 'Error' }, organic_results: [], error: 'Try later.' }),
  }
  expect((await search('xyzzy')).response.data).toMatchObject({
    degraded: [{}, {}, {}, { source: 'serpapi', reason: 'it answered with an error' }],
  })
})

it('a query that a provider would refuse is cut at the end of a word', async () => {
  fakes.behave.tavily = { status: 500 }
  fakes.behave.duckduckgo = { status: 500 }
  await search(`${'worker '.repeat(60)}end`)
  await search('w'.repeat(500))
  const [tavily, , brave, long] = fakes.asked.map(({ request }) => request)
  // https://docs.tavily.com/documentation/best-practices/best-practices-search: 400 characters.
  expect(tavily).toMatchObject({ query: 'worker '.repeat(57).trim() })
  expect(brave).toMatchObject({ q: 'worker '.repeat(50).trim() })
  expect(long).toMatchObject({ query: 'w'.repeat(400) })
})

it('a key that a provider writes into a result is taken out', async () => {
  const results = [{ title: 'Hi', url: `https://a.example/?k=${encodeURIComponent(keys.TAVILY_API_KEY)}` }]
  fakes.behave.tavily = {
    body: JSON.stringify({ results: [{ ...results[0], content: keys.TAVILY_API_KEY }] }),
  }
  expect((await search()).response.data).toMatchObject({
    results: [{ title: 'Hi', url: 'https://a.example/?k=[key]', snippet: '[key]' }],
  })
})
