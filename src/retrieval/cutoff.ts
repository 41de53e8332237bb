import type { ToolHit } from './searchable-index.ts'

/** Takes the first of the tools that were found for a query. */
type Cutoff = (query: string, hits: readonly ToolHit[]) => readonly ToolHit[]

/**
 * A selector that keeps tools with at least so high a score.
 *
 * @param min - From 0 to 1. A long query has low scores: no tool has all of its words. Look at those of your own
 * queries first.
 * @throws RangeError, when it is no number.
 */
export function scoreThreshold(min: number): Cutoff {
  if (typeof min !== 'number' || Number.isNaN(min)) {
    throw new RangeError(`scoreThreshold(): ${String(min)} is no number; give one from 0 to 1.`)
  }
  return (_, hits) => hits.filter(({ score }) => score >= min)
}

/**
 * A selector that keeps tools up to the knee of the scores: where they begin to fall less steeply, by the greatest distance from a
 * straight line between the first and the last (V. Satopaa and others, Finding a "Kneedle" in a Haystack, ICDCSW 2011).
 * Keeps all when there is no knee: scores that are equal, or fall evenly, or ever more steeply.
 */
export function kneePoint(): Cutoff {
  return (_, hits) => hits.slice(0, kneeOf(hits.map(({ score }) => score)))
}

/** The knee is the first of the tools that are not much better than the last. */
function kneeOf(scores: readonly number[]): number {
  const [first = 0] = scores
  const last = scores.at(-1) ?? 0
  let knee = scores.length
  let furthest = 1e-9
  for (const [place, score] of scores.entries()) {
    const onLine = first - ((first - last) * place) / (scores.length - 1)
    if (onLine - score > furthest) {
      furthest = onLine - score
      knee = place
    }
  }
  return knee
}
