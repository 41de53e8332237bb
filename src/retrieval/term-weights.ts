import type { RankingParameters, TextPart } from './ranking-parameters.ts'
import type { SearchText } from './search-text.ts'
import { readText } from './tokenizer.ts'

/** The terms of a tool with what they weigh: a term that stands in the name weighs more. */
export interface TermWeights {
  /** Without a prototype: a term may be any word. */
  readonly weights: Readonly<Record<string, number>>
  /** The sum of all weights: how long the text is. */
  readonly length: number
}

/** Reads the parts of a tool's text into one list of weighted terms. */
export function termWeights(text: SearchText, parameters: RankingParameters): TermWeights {
  const weights: Record<string, number> = Object.create(null)
  let length = 0
  for (const [part, weight] of Object.entries(parameters.partWeights) as [TextPart, number][]) {
    if (weight === 0) continue
    for (const [term, count] of countTerms(text[part])) {
      const added = weight * Math.min(count, parameters.maxRepeats)
      weights[term] = (weights[term] ?? 0) + added
      length += added
    }
  }
  return { weights, length }
}

function countTerms(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const { term } of readText(text).words) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return counts
}
