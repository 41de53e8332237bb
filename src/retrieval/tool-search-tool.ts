import * as v from 'valibot'
import type { OpenRun, ToolSearch } from '../agent/tool-picker.ts'
import { checkCount, checkOptions } from '../tool/check-options.ts'
import { errorToData } from '../tool/error-data.ts'
import { ToolRegistrationError } from '../tool/errors.ts'
import type { JsonObject } from '../tool/json-value.ts'
import { once } from '../tool/once.ts'
import type { RunContext } from '../tool/run-context.ts'
import { Tool } from '../tool/tool.ts'
import { originOf, stampOrigin } from '../tool/tool-origin.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import { isAccepted, type ListedTool } from '../toolset/listed-tool.ts'
import { sameItems } from '../toolset/same-items.ts'
import { namesOf, summarise } from './namespaces.ts'
import { resolveSchema } from './resolve-schema.ts'
import type { ToolHit } from './searchable-index.ts'
import type { ToolRetriever } from './tool-retriever.ts'
import { type ToolSearchTexts, toolSearchTextsEn } from './tool-search-texts.ts'

/** So many servers are told about at most, one line each. */
const maxServers = 100

/** What {@link ToolSearchTool} takes beside the retriever. */
export interface ToolSearchToolOptions {
  /** How many tools a search finds at most. @default 5 */
  readonly topK?: number
  /** Sentences that replace the English ones. */
  readonly texts?: Partial<ToolSearchTexts>
}

interface SearchInput {
  readonly query: string
}

/** A tool that a search found, in the `data` of its response. */
export interface FoundTool {
  readonly name: string
  readonly description: string
  /** With its references written out. */
  readonly inputSchema: JsonObject
  readonly score: number
  readonly terms: readonly string[]
  /** Whether the model was offered it before. */
  readonly loaded: boolean
}

/**
 * Lets the model search for tools while it works: the tool `tool_search` with one parameter, `query`. What it finds
 * joins the run: it is offered from the next step on, and after a resume too. It is offered itself once there is
 * something to find that is not offered already. It finds what the run may offer, so nothing that permissions hide, and
 * never itself. `data` is a list of {@link FoundTool}.
 *
 * A result that tells of tools which nobody has accepted (`MCPClient.acceptTools`) is content from outside: it stands in
 * a fence, taints the run, and `metadata.wordsOf` names their origins. Its own description, and an answer that nothing
 * was found, name none of them.
 *
 * In the `tools` of an agent it brings the tools of its retriever along: they are found, and not offered before. With a
 * `toolRetriever` in addition, those that fit what the person says are offered from the start.
 *
 * It belongs on the page; in a tool worker it would find tools that nobody can load. Outside of an agent's run it goes by
 * the permissions of its retriever alone, and what it finds is for the app to offer.
 *
 * @throws {@link ToolRegistrationError} for options that cannot work.
 * @example new Agent({ model, tools: [new ToolSearchTool(new ToolRetriever(registry)), calculator] })
 */
export class ToolSearchTool extends Tool<SearchInput, unknown, 'tool_search', SearchInput> {
  /** @internal */
  readonly '~search': ToolSearch
  readonly #retriever: ToolRetriever
  readonly #topK: number
  readonly #texts: ToolSearchTexts
  readonly #runs = new Map<string, OpenRun>()
  /** What there is, by server; made once of a list, which may be long, as long as the same tools of it are accepted. */
  readonly #told = once((tools: readonly ListedTool[]) => {
    let last: { readonly mayName: readonly boolean[]; readonly text: string } | undefined
    return (): string => {
      const mayName = tools.map(isAccepted)
      if (last === undefined || !sameItems(mayName, last.mayName)) {
        last = { mayName, text: this.#servers(tools) }
      }
      return last.text
    }
  })

  constructor(retriever: ToolRetriever, options: ToolSearchToolOptions = {}) {
    checkSearchOptions(retriever, options)
    const texts = { ...toolSearchTextsEn, ...options.texts }
    super({
      name: 'tool_search',
      description: texts.toolDescription,
      inputSchema: v.object({ query: v.pipe(v.string(), v.description(texts.queryDescription)) }),
      parallelSafe: true,
      effect: 'none',
    })
    this.#retriever = retriever
    this.#topK = options.topK ?? 5
    this.#texts = texts
    this['~search'] = {
      picker: retriever,
      describe: (among) => [texts.toolDescription, this.#told(among)()].filter(Boolean).join('\n\n'),
      join: (runId, run) => {
        this.#runs.set(runId, run)
        return () => this.#runs.delete(runId)
      },
    }
    // A subclass is the app's own code.
    if (new.target === ToolSearchTool) stampOrigin(this, 'builtin')
  }

  override async execute({ query }: SearchInput, { runId }: RunContext): Promise<ToolResponse> {
    const texts = this.#texts
    if (query.trim() === '') return ToolResponse.error(texts.emptyQuery)
    const run = runId === undefined ? undefined : this.#runs.get(runId)
    try {
      const { byName } = await this.#retriever['~catalog'].read()
      const among = run?.among ?? [...byName.values()].filter((tool) => tool.definition.name !== this.name)
      const limit = this.#topK
      const hits = await this.#retriever.search(query, { limit, among: namesOf(among) })
      return this.#answer(query, hits, among, run)
    } catch (error) {
      return ToolResponse.error(texts.failed(errorToData(error).message))
    }
  }

  #servers(tools: readonly ListedTool[]): string {
    const all = summarise(tools, this.#retriever['~catalog'].namespaceOf)
    if (all.length === 0) return ''
    const lines = all
      .slice(0, maxServers)
      .map(({ name, ...rest }) => this.#texts.serverLine({ name, ...rest }))
    if (all.length > maxServers) lines.push(this.#texts.moreServers(all.length - maxServers))
    return this.#texts.servers(lines)
  }

  #answer(
    query: string,
    hits: readonly ToolHit[],
    among: readonly ListedTool[],
    run: OpenRun | undefined,
  ): ToolResponse {
    const texts = this.#texts
    const tools = new Map(among.map((tool) => [tool.definition.name, tool]))
    const found = hits.flatMap((hit) => {
      const tool = tools.get(hit.name)
      return tool === undefined ? [] : [{ tool, data: foundTool(hit, tool, run) }]
    })
    if (found.length === 0) {
      const lines = [texts.nothingFound(query), this.#told(among)()]
      return ToolResponse.ok(lines.filter(Boolean).join('\n\n'), { data: [] })
    }
    const blocks = found.map(({ tool, data }) => this.#block(tool, data))
    const data = found.map((each) => each.data)
    const loaded = run && data.filter((each) => !each.loaded).length
    run?.offer(hits)
    const text = [texts.found({ count: found.length, loaded }), ...blocks, texts.askAgain].join('\n\n')
    const others = new Set(found.flatMap(({ tool }) => (isAccepted(tool) ? [] : originOf(tool))))
    return ToolResponse.ok(text, others.size === 0 ? { data } : { data, metadata: { wordsOf: [...others] } })
  }

  #block(tool: ListedTool, { name, description, inputSchema, terms, loaded }: FoundTool): string {
    if (loaded) return this.#texts.loadedBefore(name)
    const server = this.#retriever['~catalog'].namespaceOf(tool)
    const parameters = JSON.stringify(inputSchema)
    return this.#texts.foundTool({ name, server, description, parameters, terms })
  }
}

function foundTool({ name, score, terms }: ToolHit, tool: ListedTool, run: OpenRun | undefined): FoundTool {
  const { description, inputSchema } = tool.definition
  const loaded = run?.isOffered(name) ?? false
  return { name, description, inputSchema: resolveSchema(inputSchema), score, terms, loaded }
}

function checkSearchOptions(retriever: ToolRetriever, options: ToolSearchToolOptions): void {
  const where = 'new ToolSearchTool()'
  if (Object(retriever)['~catalog'] === undefined) {
    throw new ToolRegistrationError(
      `${where}: pass what it searches, new ToolSearchTool(new ToolRetriever(source)).`,
    )
  }
  checkOptions(options, ['topK', 'texts'], where)
  checkCount(options.topK, 1, `${where}, topK`)
  if (options.texts !== undefined)
    checkOptions(options.texts, Object.keys(toolSearchTextsEn), `${where}, texts`)
}
