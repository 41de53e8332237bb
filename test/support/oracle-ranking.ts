import { searchText } from '../../src/retrieval/search-text.ts'
import type { IndexedTool } from '../../src/retrieval/searchable-index.ts'
import { readText } from '../../src/retrieval/tokenizer.ts'
import { bm25f } from './bm25f.ts'

/** Ranks tools for a query by BM25F over the same words that the index reads, with weights as in the literature. */
export function oracleRanking(tools: readonly IndexedTool[]): (query: string) => readonly string[] {
  const documents = tools.map((tool) => {
    const parts = Object.entries(searchText(tool))
    return Object.fromEntries(parts.map(([part, texts]) => [part, texts.flatMap(words)]))
  })
  const rank = bm25f(documents, { weights, k: 2, b: 0.5 })
  return (query) => rank(words(query)).flatMap((position) => tools[position]?.definition.name ?? [])
}

const weights = {
  name: 3,
  namespace: 1,
  description: 1,
  parameterNames: 0.5,
  parameterTexts: 0.5,
  choices: 0.5,
}

function words(text: string): string[] {
  return readText(text).words.map(({ term }) => term)
}
