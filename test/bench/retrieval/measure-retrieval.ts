import type { SearchableIndex } from '../../../src/retrieval/index.ts'
import { oracleRanking } from '../../support/oracle-ranking.ts'
import { meanScores, type RankingScores, rankingScores } from '../../support/ranking-metrics.ts'
import { type Catalogue, cataloguesOf, type RetrievalSet, unionOf } from './catalogues.ts'
import { measureSize, percentiles, type SizeFigures, searchTimes } from './measure-size.ts'
import { schemaTokens } from './token-estimate.ts'

export interface RetrievalOptions {
  /** Whether the requests of each set are ranked against all catalogues together. */
  readonly union: boolean
  /** Whether the oracle is asked too. */
  readonly oracle: boolean
  /** Of how many tools catalogues are built, to be timed. */
  readonly sizes: readonly number[]
  /** By how much each search and each build is delayed. */
  readonly handicapMs: number
  readonly runs: number
}

/** Where it is measured: the library as it is loaded there, and its memory. */
export interface RetrievalPlace {
  makeIndex(): SearchableIndex
  /** What is in use after a garbage collection. */
  usedHeapBytes(): Promise<number>
}

/** In percent, times in milliseconds. */
export interface RetrievalReport {
  readonly figures: Record<string, number>
  readonly sets: Record<string, Record<string, number>>
  readonly sizes?: Record<string, SizeFigures>
  readonly oracle?: Record<string, number>
}

/** So many are offered to a model by default; the tokens that are saved are told for them. */
const offered = 8

/** Measures how well and how fast the right tools are found. Nothing is set that a user would not have set. */
export async function measureRetrieval(
  data: readonly RetrievalSet[],
  options: RetrievalOptions,
  place: RetrievalPlace,
): Promise<RetrievalReport> {
  const apart = cataloguesOf(data)
  const catalogues = options.union ? [unionOf(apart)] : apart
  const times: number[] = []
  const sets: Record<string, Record<string, number>> = {}
  const scores: RankingScores[] = []
  const oracleScores: RankingScores[] = []
  for (const catalogue of catalogues) {
    for (const measured of await measureCatalogue(catalogue, options, place)) {
      times.push(...measured.times)
      scores.push(measured.scores)
      if (measured.oracle !== undefined) oracleScores.push(measured.oracle)
      sets[measured.name] = { ...inPercent(measured.scores), tokensSavedShare: measured.tokensSavedShare }
    }
  }
  const sizes: Record<string, SizeFigures> = {}
  for (const size of options.sizes) sizes[size] = await measureSize(apart, size, options, place)
  const saved = Object.values(sets).map(({ tokensSavedShare }) => tokensSavedShare ?? 0)
  return {
    figures: {
      ...macro(scores),
      tokensSavedShare: saved.reduce((sum, share) => sum + share, 0) / saved.length,
      ...percentiles(times),
    },
    sets,
    ...(options.sizes.length > 0 && { sizes }),
    ...(options.oracle && { oracle: macro(oracleScores) }),
  }
}

async function measureCatalogue(
  { tools, sets }: Catalogue,
  options: RetrievalOptions,
  place: RetrievalPlace,
) {
  const index = place.makeIndex()
  await index.update(tools)
  const tokens = new Map(tools.map((tool) => [tool.definition.name, schemaTokens(tool)]))
  const rankByOracle = options.oracle ? oracleRanking(tools) : undefined
  const measured = []
  for (const { name, queries } of sets) {
    const { times, found } = await searchTimes(index, queries, options.handicapMs)
    const scores = queries.map(({ gold }, position) => rankingScores(found[position] ?? [], gold))
    measured.push({
      ...{ name, times, scores: meanScores(scores), tokensSavedShare: savedShare(found, tokens) },
      oracle: rankByOracle && meanScores(queries.map(({ q, gold }) => rankingScores(rankByOracle(q), gold))),
    })
  }
  await index.close()
  return measured
}

/** How much less is sent than the schemas of all tools, in percent. */
function savedShare(found: readonly (readonly string[])[], tokens: ReadonlyMap<string, number>): number {
  const sumOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (tokens.get(name) ?? 0), 0)
  const all = sumOf(tokens.keys())
  const sent = found.reduce((sum, names) => sum + sumOf(names.slice(0, offered)), 0)
  return 100 * (1 - sent / found.length / all)
}

function macro(scores: readonly RankingScores[]) {
  const { r1, r5, r8, ndcg10 } = inPercent(meanScores(scores))
  return { macroR1: r1, macroR5: r5, macroR8: r8, macroNdcg10: ndcg10 }
}

function inPercent({ r1, r5, r8, ndcg10 }: RankingScores) {
  return { r1: 100 * r1, r5: 100 * r5, r8: 100 * r8, ndcg10: 100 * ndcg10 }
}
