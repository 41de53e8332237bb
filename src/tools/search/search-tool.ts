import * as v from 'valibot'
import { linkedAbort, stopped, untilAborted } from '../../tool/abort.ts'
import { checkCount, checkMilliseconds, checkOptions } from '../../tool/check-options.ts'
import { errorToData } from '../../tool/error-data.ts'
import { ToolRegistrationError } from '../../tool/errors.ts'
import type { RunContext } from '../../tool/run-context.ts'
import { Tool } from '../../tool/tool.ts'
import { stampOrigin } from '../../tool/tool-origin.ts'
import { ToolResponse } from '../../tool/tool-response.ts'
import { hasMethods } from '../../tool/value-kinds.ts'
import type { CompanionOption } from '../companion/call-companion.ts'
import { startCommand } from '../companion/start-command.ts'
import { searchCompanion } from './companion-search.ts'
import { readResults } from './read-results.ts'
import type { PassedOver, SearchResult, SearchSource } from './search-source.ts'
import { type SearchTexts, searchTextsEn } from './search-texts.ts'

interface SearchInput {
  readonly query: string
}

/** What {@link SearchTool} takes. */
export interface SearchToolOptions {
  /**
   * What `connectCompanion` gave, or a function that gives it once it is there: it is asked first, and tries Tavily,
   * DuckDuckGo, Brave and SerpAPI in turn with the keys of its own environment.
   */
  readonly companion?: CompanionOption
  /** Other sources, tried in turn after the companion: `mediaWikiSource()`, or any object with `search`. @default none */
  readonly sources?: readonly SearchSource[]
  /** @default 5 */
  readonly maxResults?: number
  /** How long one of `sources` may take, in milliseconds. @default 8000 */
  readonly sourceTimeoutMs?: number
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<SearchTexts>
}

/** What was found by whom, and who was passed over before. */
interface Found {
  readonly source?: string
  readonly results: readonly SearchResult[]
  readonly degraded: readonly PassedOver[]
}

/**
 * Searches the web: the tool `search` with one parameter, `query`. Parallel-safe, changes nothing, and what it finds is
 * not to be trusted. `data` is `{ source, results, degraded }`: who found it, and the sources that were passed over with
 * the reason, because they have no key, failed or found nothing. When none works the response is an error that names
 * them all.
 *
 * @throws {@link ToolRegistrationError} for an option that cannot be.
 * @example new SearchTool({ companion, sources: [mediaWikiSource()] })
 */
export class SearchTool extends Tool<SearchInput, unknown, 'search', SearchInput> {
  readonly #options: SearchToolOptions
  readonly #texts: SearchTexts

  constructor(options: SearchToolOptions = {}) {
    checkSearchOptions(options)
    const texts = { ...searchTextsEn, ...options.texts }
    super({
      name: 'search',
      description: texts.toolDescription,
      inputSchema: v.object({ query: v.pipe(v.string(), v.description(texts.queryDescription)) }),
      parallelSafe: true,
      effect: 'none',
      egress: true,
      externalContent: true,
    })
    this.#options = options
    this.#texts = texts
    // A subclass is the app's own code.
    if (new.target === SearchTool) stampOrigin(this, 'builtin')
  }

  override async execute({ query }: SearchInput, context: RunContext): Promise<ToolResponse> {
    const texts = this.#texts
    const { companion, sources = [] } = this.#options
    if (query.trim() === '') return ToolResponse.error(texts.emptyQuery)
    if (companion === undefined && sources.length === 0) {
      return ToolResponse.error(texts.noSources({ start: startCommand() }))
    }
    const found = await this.#search(query, context)
    const { source, results, degraded } = found
    if (source === undefined) {
      const reasons = degraded.map((one) => `${one.source}: ${one.reason}`).join('; ')
      return ToolResponse.error(texts.allFailed({ reasons }), { data: { results, degraded } })
    }
    const lines = results.map(
      ({ title, url, snippet }, index) => `${index + 1}. ${title}\n${url}\n${snippet}`,
    )
    const text = lines.length === 0 ? texts.nothingFound({ query }) : lines.join('\n\n')
    return ToolResponse.ok(text, { data: found })
  }

  async #search(query: string, context: RunContext): Promise<Found> {
    const { companion, sources = [], maxResults = 5 } = this.#options
    const degraded: PassedOver[] = []
    // That nothing was found is an answer, too, when nobody else finds anything.
    let empty: string | undefined
    if (companion !== undefined) {
      const found = await searchCompanion(companion, { query, maxResults }, context, this.#texts)
      if (found.source !== undefined && found.results.length > 0) return found
      degraded.push(...found.degraded)
      empty = found.source
      if (empty !== undefined) degraded.push({ source: empty, reason: this.#texts.foundNothing })
    }
    for (const [index, source] of sources.entries()) {
      const name = source.name ?? `source ${index + 1}`
      const { results, reason } = await this.#ask(source, query, context)
      if (results.length > 0) return { source: name, results, degraded }
      if (reason === this.#texts.foundNothing) empty ??= name
      degraded.push({ source: name, reason })
    }
    if (empty === undefined) return { results: [], degraded }
    return { source: empty, results: [], degraded: degraded.filter(({ source }) => source !== empty) }
  }

  async #ask(
    source: SearchSource,
    query: string,
    { signal }: RunContext,
  ): Promise<{ readonly results: readonly SearchResult[]; readonly reason: string }> {
    const { maxResults = 5, sourceTimeoutMs = 8_000 } = this.#options
    const limit = linkedAbort(signal)
    limit.startDeadline(sourceTimeoutMs, 'the time limit of the source')
    const failed = (reason: string) => ({ results: [], reason })
    try {
      const asked = (async () => source.search(query, { maxResults, signal: limit.signal }))()
      const answer = await untilAborted(asked, limit)
      signal.throwIfAborted()
      if (answer === stopped) return failed(this.#texts.tooLate)
      const results = readResults(answer, maxResults)
      return results === undefined
        ? failed(this.#texts.wrongAnswer)
        : { results, reason: this.#texts.foundNothing }
    } catch (error) {
      signal.throwIfAborted()
      return failed(errorToData(error).message)
    } finally {
      limit.release()
    }
  }
}

function checkSearchOptions(options: SearchToolOptions): void {
  const where = 'new SearchTool()'
  checkOptions(options, ['companion', 'sources', 'maxResults', 'sourceTimeoutMs', 'texts'], where)
  const { sources, maxResults, sourceTimeoutMs } = options
  checkCount(maxResults, 1, `${where}: maxResults`)
  checkMilliseconds(sourceTimeoutMs, 'sourceTimeoutMs', where)
  if (sources === undefined) return
  if (Array.isArray(sources) && sources.every((source) => hasMethods(source, 'search'))) return
  throw new ToolRegistrationError(
    `${where}: sources must be a list of objects with search(query, { maxResults, signal }), such as mediaWikiSource().`,
  )
}
