/** What should be found: each entry once, by its name or, where it is a list, by any of its names. */
export type Gold = readonly (string | readonly string[])[]

/** How well names were ranked, each from 0 to 1. */
export interface RankingScores {
  readonly r1: number
  readonly r5: number
  readonly r8: number
  readonly ndcg10: number
}

/** Recall within the first so many names, and nDCG of the first ten where each entry of `gold` is worth the same. */
export function rankingScores(names: readonly string[], gold: Gold): RankingScores {
  const wanted = gold.map((entry) => new Set(typeof entry === 'string' ? [entry] : entry))
  const recall = (count: number) => {
    const first = names.slice(0, count)
    return wanted.filter((any) => first.some((name) => any.has(name))).length / wanted.length
  }
  const open = new Set(wanted)
  let gain = 0
  for (const [rank, name] of names.slice(0, 10).entries()) {
    const found = [...open].find((any) => any.has(name))
    if (found === undefined) continue
    open.delete(found)
    gain += discount(rank)
  }
  const ranks = Array.from({ length: Math.min(10, wanted.length) }, (_, rank) => rank)
  const ideal = ranks.reduce((sum, rank) => sum + discount(rank), 0)
  return { r1: recall(1), r5: recall(5), r8: recall(8), ndcg10: gain / ideal }
}

function discount(rank: number): number {
  return 1 / Math.log2(rank + 2)
}

/** The mean of each score. */
export function meanScores(all: readonly RankingScores[]): RankingScores {
  const mean = (key: keyof RankingScores) => all.reduce((sum, scores) => sum + scores[key], 0) / all.length
  return { r1: mean('r1'), r5: mean('r5'), r8: mean('r8'), ndcg10: mean('ndcg10') }
}
