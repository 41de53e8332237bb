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

/** What can be found. */
export interface RankedEntries {
  /** In the order of the catalogue. */
  readonly byName: ReadonlyMap<string, RankedEntry>
  readonly byRow: readonly (RankedEntry | undefined)[]
}

/** What is to be ranked, and how. */
export interface Ranking {
  readonly index: LexicalIndex
  readonly entries: RankedEntries
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
  const { index, entries, query, limit, clauses, near, multilingual } = ranking
  const rows = allowedRows(ranking)
  const { scores, named, termsOf } = index.match(query, { clauses, among: rows })
  const best = new BestHits(limit)
  // A row of a tool that is being added, or removed, is in the index and not yet, or no longer, to be found.
  const offer = (row: number, score: number) => {
    const entry = score > 0 && score >= best.floor ? entries.byRow[row] : undefined
    if (entry !== undefined) best.offer({ row, score, place: entry.place, name: entry.tool.definition.name })
  }
  // Above all that a tool can have by its words.
  for (const row of named) if (rows?.has(row) !== false) offer(row, 2)
  if (near !== undefined && (multilingual || !hasUnspacedScript(query))) {
    const allowed = [...entries.byName.values()].filter(
      ({ row }) => rows?.has(row) !== false && !named.has(row),
    )
    const score = fusedScore(allowed, scores, near)
    for (const entry of allowed) offer(entry.row, score(entry))
  } else {
    for (let row = 1; row < scores.length; row += 1) if (!named.has(row)) offer(row, scores[row] ?? 0)
  }
  return best.list.map(({ name, row, score }) => ({
    name,
    score: Math.min(1, score),
    terms: termsOf(row),
  }))
}

/** The only rows that may be found; undefined when all may. */
function allowedRows({ entries: { byName }, among }: Ranking): ReadonlySet<number> | undefined {
  if (among === undefined) return undefined
  let areAll = true
  for (const name of byName.keys()) areAll &&= among.has(name)
  if (areAll) return undefined
  const allowed = Array.from(byName).filter(([name]) => among.has(name))
  return new Set(allowed.map(([, { row }]) => row))
}

type Score = (entry: RankedEntry) => number

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
