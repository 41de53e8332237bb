import type { PickedTool, Picks, ToolPicker } from '../agent/tool-picker.ts'
import { type OpenAISchemaOptions, openaiSchema } from '../schema-dialects/openai-schema.ts'
import { checkCount, checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { describeTools, type OpenAITool } from '../tool/describe-tools.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import { type ModelTexts, modelTextsEn } from '../tool/model-texts.ts'
import { once } from '../tool/once.ts'
import { throwLater } from '../tool/throw-later.ts'
import type { ToolDefinition } from '../tool/tool-definition.ts'
import { gather, type ToolInput } from '../toolset/gather.ts'
import { itemsOf, type ToolsGiven } from '../toolset/items-of.ts'
import type { ListedTool } from '../toolset/listed-tool.ts'
import { FollowedCatalog } from './followed-catalog.ts'
import { namesOf } from './namespaces.ts'
import { checkRetrieverOptions, type ToolRetrieverOptions } from './retriever-options.ts'
import type { ToolHit } from './searchable-index.ts'
import type { ToolCatalog } from './tool-catalog.ts'
import { ToolIndex } from './tool-index.ts'
import { withinTokens } from './within-tokens.ts'

/** So many tools are taken at most when nothing was found: providers take no more. */
const maxUnpicked = 128
/** So many hits are looked at where not simply the first ones are taken. */
const maxLookedAt = 64

const where = 'new ToolRetriever()'

/** What differs from search to search. */
export interface RetrieverSearchOptions {
  /** How many hits to give. @default 8 */
  readonly limit?: number
  /** The only names that may be found. @default all */
  readonly among?: ReadonlySet<string>
}

/**
 * Finds the few tools that fit a text among many, by the words of their names, descriptions, parameters and examples.
 * It follows its source: tools that come, go or change are found as they are at the next query.
 *
 * As the `toolRetriever` of an agent it picks what the model is offered for each thing that the person says.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work; from its methods, when `alwaysInclude` names a
 * tool that is not there.
 * @example
 * const retriever = new ToolRetriever(registry, { topK: 8 })
 * await retriever.retrieve('open an issue about the login page') // ['create_issue', …]
 * const agent = new Agent({ model, tools: [new ToolSearchTool(retriever)], toolRegistry, toolRetriever: retriever })
 */
export class ToolRetriever implements ToolPicker {
  readonly tools: readonly ToolInput<never>[]
  /** @internal */
  readonly '~catalog': FollowedCatalog
  readonly #options: ToolRetrieverOptions
  readonly #texts: ModelTexts
  /** Why tools are found by words alone, until an agent has told it. */
  #failure: string | undefined

  constructor(source: ToolsGiven, options: ToolRetrieverOptions = {}) {
    checkRetrieverOptions(options, where)
    this.tools = Object.freeze([...itemsOf(source)])
    this.#options = options
    this.#texts = { ...modelTextsEn, ...options.texts }
    const { alwaysInclude = [], permissions, embed, index } = options
    this['~catalog'] = new FollowedCatalog(this.tools, gather(this.tools, where), {
      rules: { alwaysInclude, permissions, texts: this.#texts },
      index: index ?? new ToolIndex(defined({ embedder: embed, onEmbedderError: embed && this.#onFailure })),
      ownsIndex: index === undefined,
    })
  }

  /** Builds the index now, or brings it up to date; otherwise the first query does. */
  async index(): Promise<void> {
    await this['~catalog'].searchable()
  }

  /** The names of the tools for a query, most relevant first, behind those that are always included. */
  async retrieve(query: string): Promise<readonly string[]> {
    const tools = await this.#choose(checkQuery(query, 'retrieve'))
    return tools.map(({ name }) => name)
  }

  /** What fits a query, most relevant first; nothing when no word of it is in any tool's text. */
  async search(query: string, options: RetrieverSearchOptions = {}): Promise<readonly ToolHit[]> {
    checkOptions(options, ['limit', 'among'], 'search()')
    checkCount(options.limit, 1, 'search(), limit')
    const catalog = await this['~catalog'].searchable()
    return this.#search(checkQuery(query, 'search'), catalog, options.limit ?? 8, options.among)
  }

  /**
   * What {@link retrieve} gives, as OpenAI's chat completions take it: like `toOpenAISchema` of a registry. A tool that
   * cannot be sent is left out.
   *
   * @throws {@link ToolRegistrationError} for tools that cannot be sent, with `onInvalid: 'throw'`.
   */
  async schemaFor(query: string, options: OpenAISchemaOptions = {}): Promise<readonly OpenAITool[]> {
    const definitions = await this.#definitions(checkQuery(query, 'schemaFor'))
    return openaiSchema(definitions, options, 'schemaFor()')
  }

  /** What {@link retrieve} gives, as text with one line for each tool and parameter. */
  async descriptionFor(query: string): Promise<string> {
    return describeTools(await this.#definitions(checkQuery(query, 'descriptionFor')), this.#texts)
  }

  /** For the agent. */
  async known(): Promise<ReadonlyMap<string, boolean>> {
    const { known } = await this['~catalog'].read()
    return known
  }

  /** For the agent: what it offers for what the person said. Where the search fails it goes by `onEmpty`. */
  async pick(said: readonly string[], among: readonly ListedTool[]): Promise<Picks> {
    const catalog = await this['~catalog'].read()
    const names = namesOf(among)
    if (said.length === 0) return { tools: this.#always(catalog, names) }
    try {
      for (const text of said) {
        const searched = await this['~catalog'].searchable()
        const hits = await this.#hits(text, searched, narrows(names)(searched) ? names : undefined)
        if (hits.length > 0) return this.#picks(this.#withAlways(hits, catalog, names))
      }
      return this.#picks(this.#unfound(catalog, names))
    } catch (error) {
      if (error instanceof ToolRegistrationError) throw error
      const failure = `The tools could not be searched: ${errorToData(error).message}`
      return { tools: this.#unfound(catalog, names), failure }
    }
  }

  /** Stops following the source and lets go of the index. The source itself stays open. */
  close(): Promise<void> {
    return this['~catalog'].close()
  }

  readonly #onFailure = (error: unknown): void => {
    this.#failure = `The tools were found by their words alone: ${errorToData(error).message}`
    throwLater(error)
  }

  #picks(tools: readonly PickedTool[]): Picks {
    const failure = this.#failure
    this.#failure = undefined
    return defined({ tools, failure })
  }

  async #definitions(query: string): Promise<readonly ToolDefinition[]> {
    const { byName } = await this['~catalog'].read()
    const tools = await this.#choose(query)
    return tools.flatMap(({ name }) => byName.get(name)?.definition ?? [])
  }

  async #choose(query: string): Promise<readonly PickedTool[]> {
    const catalog = await this['~catalog'].searchable()
    const hits = await this.#hits(query, catalog)
    return hits.length > 0 ? this.#withAlways(hits, catalog) : this.#unfound(catalog)
  }

  async #search(
    query: string,
    { byName }: ToolCatalog,
    limit: number,
    among: ReadonlySet<string> | undefined,
  ): Promise<readonly ToolHit[]> {
    if (query.trim() === '') return []
    const hits = await this['~catalog'].index.search(query, defined({ limit, among }))
    // An index elsewhere may know tools that are gone by now.
    return hits.filter(({ name }) => byName.has(name))
  }

  /** The hits that are to be taken. */
  async #hits(query: string, catalog: ToolCatalog, among?: ReadonlySet<string>): Promise<readonly ToolHit[]> {
    const { selector, topK = 8, alwaysInclude = [], maxSchemaTokens } = this.#options
    const isWide = selector !== undefined || maxSchemaTokens !== undefined
    const limit = Math.max(topK + alwaysInclude.length, isWide ? maxLookedAt : 0)
    const found = await this.#search(query, catalog, limit, among)
    if (selector === undefined) return found
    const chosen = found.length === 0 ? [] : await selector(query, found)
    if (!Array.isArray(chosen)) {
      throw new ToolRegistrationError(`${where}, selector: it gave no list. Return the hits to take.`)
    }
    const names = new Set(found.map(({ name }) => name))
    return (chosen as readonly ToolHit[]).filter((hit) => names.has(hit?.name))
  }

  #withAlways(hits: readonly ToolHit[], catalog: ToolCatalog, among?: ReadonlySet<string>): PickedTool[] {
    const { selector, topK = 8, maxSchemaTokens } = this.#options
    const always = this.#always(catalog, among)
    const rest = hits
      .filter(({ name }) => always.every((other) => other.name !== name))
      .map((hit): PickedTool => ({ ...hit, why: 'hit' }))
    const fitting = withinTokens(rest, always, catalog.byName, maxSchemaTokens)
    return [...always, ...(selector === undefined ? fitting.slice(0, topK) : fitting)]
  }

  #always({ byName }: ToolCatalog, among?: ReadonlySet<string>): PickedTool[] {
    const { alwaysInclude = [] } = this.#options
    const names = [...new Set(alwaysInclude)].filter((name) => byName.has(name) && among?.has(name) !== false)
    return names.map((name) => ({ name, why: 'always' }))
  }

  /** What is taken when nothing was found. */
  #unfound(catalog: ToolCatalog, among?: ReadonlySet<string>): readonly PickedTool[] {
    const { onEmpty = 'all', maxSchemaTokens } = this.#options
    if (onEmpty === 'none') return []
    const always = this.#always(catalog, among)
    if (onEmpty === 'always-include') return always
    const others = [...catalog.byName.keys()]
      .filter((name) => among?.has(name) !== false && always.every((other) => other.name !== name))
      .map((name): PickedTool => ({ name, why: 'all' }))
    const fitting = withinTokens(others, always, catalog.byName, maxSchemaTokens)
    return [...always, ...fitting].slice(0, maxUnpicked)
  }
}

/** Whether tools of a catalogue are not among the names; looked at once, as both may be long. */
const narrows = once((names: ReadonlySet<string>) =>
  once(({ byName }: ToolCatalog) => [...byName.keys()].some((name) => !names.has(name))),
)

function checkQuery(query: unknown, method: string): string {
  if (typeof query === 'string') return query
  throw new ToolRegistrationError(`${method}(): expected a text to find tools for, got ${typeof query}.`)
}
