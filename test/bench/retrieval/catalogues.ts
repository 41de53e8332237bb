import type { IndexedTool } from '../../../src/retrieval/index.ts'
import type { Gold } from '../../support/ranking-metrics.ts'

/** A set as its file holds it: tools, and what of them answers which request. */
export interface RetrievalSet {
  readonly name: string
  readonly tools: readonly {
    readonly name: string
    readonly description?: string
    readonly parameters?: IndexedTool['definition']['inputSchema']
    readonly server?: string
  }[]
  readonly queries: readonly Query[]
}

export interface Query {
  readonly q: string
  readonly gold: Gold
}

/** Tools to be ranked together, and the sets of requests that they are ranked for. */
export interface Catalogue {
  readonly tools: readonly IndexedTool[]
  readonly sets: readonly { readonly name: string; readonly queries: readonly Query[] }[]
}

/** One catalogue for all sets with the same tools. */
export function cataloguesOf(sets: readonly RetrievalSet[]): Catalogue[] {
  const groups = new Map<string, RetrievalSet[]>()
  for (const set of sets) {
    const key = JSON.stringify(set.tools)
    groups.set(key, [...(groups.get(key) ?? []), set])
  }
  return [...groups.values()].map((group) => ({
    tools: (group[0]?.tools ?? []).map(({ name, description, parameters, server }) => ({
      definition: { name, description: description ?? '', inputSchema: parameters ?? { type: 'object' } },
      fingerprint: name,
      ...(server !== undefined && { namespace: server }),
    })),
    sets: group.map(({ name, queries }) => ({ name, queries })),
  }))
}

/**
 * All tools in one catalogue. A name that an earlier catalogue has too gets signs at its end, which are no words: what is
 * searched stays the same.
 */
export function unionOf(catalogues: readonly Catalogue[]): Catalogue {
  const taken = new Set<string>()
  const joined = catalogues.map(({ tools, sets }) => {
    const names = new Map(tools.map(({ definition: { name } }) => [name, untaken(name, taken)]))
    for (const name of names.values()) taken.add(name)
    const rename = (name: string) => names.get(name) ?? name
    return {
      tools: tools.map((tool) => renamed(tool, rename(tool.definition.name))),
      sets: sets.map(({ name, queries }) => ({
        name,
        queries: queries.map(({ q, gold }) => ({
          q,
          gold: gold.map((entry) => (typeof entry === 'string' ? rename(entry) : entry.map(rename))),
        })),
      })),
    }
  })
  return { tools: joined.flatMap(({ tools }) => tools), sets: joined.flatMap(({ sets }) => sets) }
}

/** A catalogue of so many tools, taken evenly from all; where there are too few, again under other names. */
export function sizedCatalogue(catalogues: readonly Catalogue[], size: number): IndexedTool[] {
  const { tools } = unionOf(catalogues)
  const step = Math.max(1, tools.length / size)
  return Array.from({ length: size }, (_, position) => {
    const at = Math.floor(position * step)
    const tool = tools[at % tools.length]
    if (tool === undefined) throw new Error('The data hold no tools.')
    const copy = Math.floor(at / tools.length)
    return renamed(tool, copy === 0 ? tool.definition.name : `${tool.definition.name}__copy_${copy}`)
  })
}

function untaken(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? untaken(`${name}_`, taken) : name
}

function renamed(tool: IndexedTool, name: string): IndexedTool {
  return { ...tool, definition: { ...tool.definition, name }, fingerprint: name }
}
