import { BestHits } from './best-hits.ts'
import type { LexicalIndex } from './lexical-index.ts'
import { rankingParameters } from './ranking-parameters.ts'
import type { IndexedTool, ToolHit } from './searchable-index.ts'
import { hasUnspacedScript } from './tokenizer.ts'

/** A tool, and what the index knows it by. */
export interface RankedEntry {
  readonly tool: IndexedTool
  readonly row: number
  /** In the catalogue. */
  readonly place: number
}

/** What is to be ranked, and how. */
export interface Ranking {
  readonly index: LexicalIndex
  /** What may be found, by name. */
  readonly entries: ReadonlyMap<string, RankedEntry>
  readonly query: string
  readonly limit: number
  readonly clauses: boolean
  readonly among?: ReadonlySet<string>
  /** How near a tool's meaning is to the query, from 0 to 1. */
  readonly near?: (tool: IndexedTool) => number
  /** Whether that can be told of any language. */
  readonly multilingual: boolean
}

/** The tools that answer a query best, best first. */
export function rankTools(ranking: Ranking): readonly ToolHit[] {
  const { index, query, limit, clauses, among, near, multilingual } = ranking
  const allowed = allowedEntries(ranking)
  const rows = among && new Set(allowed.map(({ row }) => row))
  const { scores, named, termsOf } = index.match(query, { clauses, among: rows })
  const score =
    near && (multilingual || !hasUnspacedScript(query))
      ? fusedScore(allowed, scores, near)
      : wordScore(scores)
  const best = new BestHits(limit)
  for (const entry of allowed) {
    const { row, place } = entry
    // Above all that a tool can have by its words.
    const isNamed = named.has(row)
    const given = isNamed ? 2 : score(entry)
    if (given > 0) best.offer({ row, score: given, place, name: entry.tool.definition.name })
  }
  return best.list.map(({ name, row, score }) => ({
    name,
    score: Math.min(1, score),
    terms: termsOf(row),
  }))
}

function allowedEntries({ entries, among }: Ranking): readonly RankedEntry[] {
  if (among === undefined) return [...entries.values()]
  return [...entries.values()].filter(({ tool }) => among.has(tool.definition.name))
}

type Score = (entry: RankedEntry) => number

function wordScore(scores: Float64Array): Score {
  return ({ row }) => scores[row] ?? 0
}

/** Both relative to the best of their kind, as their scales differ; then on the scale of words again, where there are any. */
function fusedScore(
  entries: readonly RankedEntry[],
  scores: Float64Array,
  near: (tool: IndexedTool) => number,
): Score {
  const { vectorShare } = rankingParameters
  const nearness = new Map(entries.map((entry) => [entry, near(entry.tool)]))
  const nearest = highest(nearness.values()) || 1
  const mostWords = highest(scores) || 1
  return (entry) => {
    const words = (1 - vectorShare) * (scores[entry.row] ?? 0)
    return words + (vectorShare * mostWords * (nearness.get(entry) ?? 0)) / nearest
  }
}

// Math.max() takes only so many arguments.
function highest(numbers: Iterable<number>): number {
  let most = 0
  for (const number of numbers) if (number > most) most = number
  return most
}
