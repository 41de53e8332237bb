import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ToolExecutor, withoutFence } from 'offstage'
import {
  mediaWikiSource,
  type SearchSource,
  SearchTool,
  type SearchToolOptions,
  searchTextsEn,
  searchTextsZh,
} from 'offstage/tools'
import { describe, expect, it, onTestFinished } from 'vitest'

const search = (options: SearchToolOptions, query = 'offstage') =>
  new ToolExecutor({ tools: [new SearchTool(options)] }).execute({ name: 'search', input: { query } })

const page = (title: string) => ({ title, url: `https://${title}.example/`, snippet: `about ${title}` })
const finding = (...titles: string[]): SearchSource => ({ search: async () => titles.map(page) })
const failing = (name: string, message: string): SearchSource => ({
  name,
  search: () => Promise.reject(new Error(message)),
})

describe('SearchTool', () => {
  it('tries its sources in turn, and names those that it passed over', async () => {
    const silent: SearchSource = { name: 'silent', search: () => new Promise(() => {}) }
    const odd = { name: 'odd', search: async () => 'no list' } as unknown as SearchSource
    const sources = [
      failing('broken', 'out of order'),
      silent,
      odd,
      finding(),
      finding('one', 'two', 'three'),
    ]
    const result = await search({ sources, maxResults: 2, sourceTimeoutMs: 100 })
    expect(result).toMatchObject({ outcome: 'success', origin: 'builtin' })
    expect(result.response.data).toEqual({
      source: 'source 5',
      results: [page('one'), page('two')],
      degraded: [
        { source: 'broken', reason: 'out of order' },
        { source: 'silent', reason: 'it did not answer in time' },
        { source: 'odd', reason: 'its answer is no list of results' },
        { source: 'source 4', reason: 'it found nothing' },
      ],
    })
    expect(withoutFence(result.response.text)).toBe(
      '1. one\nhttps://one.example/\nabout one\n\n2. two\nhttps://two.example/\nabout two',
    )
  })

  it('tells a source how much is wanted, and when to stop', async () => {
    const seen: unknown[] = []
    const source: SearchSource = {
      search: async (query, { maxResults, signal }) => {
        seen.push(query, maxResults, signal instanceof AbortSignal)
        return [page('one')]
      },
    }
    await search({ sources: [source] })
    expect(seen).toEqual(['offstage', 5, true])
  })

  it('all failing is an error with every reason', async () => {
    const result = await search({ sources: [failing('a', 'no key'), failing('b', 'is down')] })
    expect(result.outcome).toBe('error')
    expect(result.response.text).toContain('a: no key; b: is down.')
  })

  it('nothing found is an answer, also when others failed', async () => {
    const result = await search({ sources: [failing('a', 'is down'), finding()] })
    expect(result).toMatchObject({
      outcome: 'success',
      response: { data: { source: 'source 2', results: [], degraded: [{ source: 'a' }] } },
    })
  })

  it('with nothing to search says how to start a companion', async () => {
    const result = await search({})
    expect(result.outcome).toBe('error')
    expect(result.response.text).toContain('npx offstage-companion')
    const later = await search({ companion: () => undefined, sources: [finding('one')] })
    expect(later.response.data).toMatchObject({
      source: 'source 1',
      degraded: [{ source: 'companion', reason: 'it is not connected' }],
    })
  })

  it('an empty query asks nobody', async () => {
    const result = await search({ sources: [failing('a', 'was asked')] }, '  ')
    expect(result).toMatchObject({
      outcome: 'error',
      response: { text: expect.stringContaining(searchTextsEn.emptyQuery) },
    })
  })

  it.each([{ sources: {} }, { sources: [{}] }, { maxResults: 0 }, { sourceTimeoutMs: -1 }, { source: [] }])(
    'refuses %j',
    (options) => {
      expect(() => new SearchTool(options as never)).toThrow('new SearchTool()')
    },
  )
})

describe('mediaWikiSource', () => {
  /** https://www.mediawiki.org/wiki/API:Search, formatversion=2. */
  const found = {
    batchcomplete: true,
    continue: { sroffset: 2, continue: '-||' },
    query: {
      searchinfo: { totalhits: 2 },
      search: [
        {
          ns: 0,
          title: 'Off stage',
          pageid: 42,
          snippet: 'The <span class="searchmatch">wings</span> &amp; the flies &#039;above&#039;',
        },
        { ns: 0, title: 'No id', snippet: '' },
      ],
    },
  }

  async function wiki(body: unknown, status = 200) {
    const asked: URL[] = []
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://127.0.0.1'))
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { asked, origin, source: mediaWikiSource({ apiUrl: `${origin}/w/api.php` }) }
  }

  it('searches a wiki without a key, as the wiki documents it', async () => {
    const { asked, origin, source } = await wiki(found)
    const result = await search({ sources: [source], maxResults: 3 }, 'wings & flies')
    expect(result.response.data).toEqual({
      source: '127.0.0.1',
      results: [{ title: 'Off stage', url: `${origin}/?curid=42`, snippet: "The wings & the flies 'above'" }],
      degraded: [],
    })
    expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toMatchObject({
      ...{ action: 'query', list: 'search', srsearch: 'wings & flies', srlimit: '3', origin: '*' },
    })
  })

  it.each([
    [{ error: { code: 'ratelimited', info: 'x' } }, 200, 'it answered with the error ratelimited'],
    [{ query: {} }, 200, 'its answer is no answer to a search'],
    [{}, 503, 'it answered 503'],
  ])('says what is wrong with %j', async (body, status, reason) => {
    const { source } = await wiki(body, status)
    expect((await search({ sources: [source] })).response.text).toContain(`127.0.0.1: ${reason}`)
  })
})

it('every sentence of SearchTool is there in English and Chinese', () => {
  expect(Object.keys(searchTextsZh)).toEqual(Object.keys(searchTextsEn))
  const problem = { query: 'QUERY', reasons: 'REASONS', start: 'START' }
  for (const texts of [searchTextsEn, searchTextsZh]) {
    expect(texts.nothingFound(problem)).toContain('QUERY')
    expect(texts.allFailed(problem)).toContain('REASONS')
    expect(texts.noSources(problem)).toContain('START')
  }
})
