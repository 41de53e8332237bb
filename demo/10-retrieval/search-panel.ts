import type { ToolHit, ToolRetriever } from 'offstage/retrieval'
import { element } from '../shared/element.ts'
import { emptyState, panel, statusLine } from '../shared/panel.ts'
import { now } from '../shared/time-text.ts'
import { figuresView } from './figures.ts'
import type { ForbiddenServers } from './forbidden-servers.ts'
import { type FoundTool, hitList } from './hit-list.ts'
import { queries } from './queries.ts'
import { searchField } from './search-field.ts'
import type { CatalogueTool } from './tool-list.ts'

/** Where a person searches. */
export interface SearchPanel {
  readonly element: HTMLElement
  /** The index is there, and how long it took. */
  built(buildMs: number): void
  failed(error: unknown): void
  /** Searches again, because other tools may be found now. */
  again(): void
}

/** How long to wait before a person who types is told that there is nothing. In milliseconds. */
const nothingMs = 500

/** What the panel is made with. */
export interface SearchPanelOptions {
  readonly tools: ReadonlyMap<string, CatalogueTool>
  readonly retriever: ToolRetriever
  readonly forbidden: ForbiddenServers
  readonly leaving: AbortSignal
}

/** Makes the panel. Of searches that overlap, the last one wins. */
export function searchPanel({ tools, retriever, forbidden, leaving }: SearchPanelOptions): SearchPanel {
  const allTokens = [...tools.values()].reduce((sum, { tokens }) => sum + tokens, 0)
  const figures = figuresView(tools.size, allTokens)
  const status = statusLine('The index is being built.')
  const output = element('div', { class: 'search-output' }, emptyState(invitation))
  let latest = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  leaving.addEventListener('abort', () => clearTimeout(timer))
  const say = (text: string, words: string) => {
    output.replaceChildren(emptyState(text))
    figures.searched(undefined)
    status.textContent = words
  }
  const show = (found: readonly FoundTool[], allowed: number, searchMs: number) => {
    const offeredTokens = found.reduce((sum, { tool }) => sum + tool.tokens, 0)
    output.replaceChildren(hitList(found, forbidden.forbid))
    figures.searched({ allTokens, offeredTokens, offered: found.length, searchMs })
    status.textContent = `${found.length} of ${allowed} tools are found, ${found[0]?.hit.name} first.`
  }
  const search = async (isTyping: boolean) => {
    clearTimeout(timer)
    latest += 1
    const own = latest
    const { query } = field
    if (query === '') return say(invitation, '')
    // The first search may come before the index is there; that is no part of its time.
    await retriever.index()
    const among = namesOf(tools, forbidden.names)
    const startedAt = now()
    const hits = await retriever.search(query, { limit: 8, among })
    const searchMs = now() - startedAt
    if (own !== latest || leaving.aborted) return
    const found = foundTools(hits, tools)
    if (found.length > 0) show(found, among.size, searchMs)
    // A word that is not whole yet is in no text.
    else timer = setTimeout(() => say(nothingFound(query), 'Nothing was found.'), isTyping ? nothingMs : 0)
  }
  const fail = (error: unknown) => {
    status.textContent = error instanceof Error ? error.message : String(error)
  }
  const ask = (isTyping: boolean) => {
    search(isTyping).catch((error: unknown) => {
      // Who left the story waits for nothing.
      if (!leaving.aborted) fail(error)
    })
  }
  const field = searchField(queries, ask, leaving)
  return {
    element: panel(
      '500 tools of 25 servers',
      ...field.elements,
      forbidden.element,
      figures.element,
      status,
      forbidden.undo,
      output,
    ),
    built: (ms) => {
      figures.built(ms)
      if (field.query === '') status.textContent = 'The index is ready.'
    },
    failed: fail,
    again: () => ask(false),
  }
}

const invitation = 'Type what you need in your own words, or press one of the examples.'

function nothingFound(query: string): string {
  return `No tool’s text has a word of “${query}”. Ask for one thing at a time, with what is to be done, to what, and where: “create an event in the calendar”. Most tools here speak English; those for trains and recipes speak Chinese.`
}

function foundTools(hits: readonly ToolHit[], tools: ReadonlyMap<string, CatalogueTool>): FoundTool[] {
  return hits.flatMap((hit) => {
    const tool = tools.get(hit.name)
    return tool === undefined ? [] : [{ hit, tool }]
  })
}

function namesOf(tools: ReadonlyMap<string, CatalogueTool>, forbidden: ReadonlySet<string>): Set<string> {
  return new Set([...tools].flatMap(([name, { server }]) => (forbidden.has(server) ? [] : [name])))
}
