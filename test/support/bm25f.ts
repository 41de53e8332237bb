/** A document of the oracle: the words of each field, in any order. */
export type OracleDocument = Readonly<Record<string, readonly string[]>>

export interface OracleParameters {
  /** How much a word of the field counts. */
  readonly weights: Readonly<Record<string, number>>
  /** How soon more of a word adds nothing. */
  readonly k: number
  /** How much a field that is longer than most is held against a document: 0 not at all, 1 in proportion. */
  readonly b: number
}

/**
 * Ranks documents by BM25F as Robertson, Zaragoza and Taylor give it ("Simple BM25 extension to multiple weighted
 * fields", 2004): the counts of a word are weighted and normalized by field, added, and then saturated once. What a
 * search index should not do worse than. Returns for a query the positions of the documents that match, best first.
 */
export function bm25f(
  documents: readonly OracleDocument[],
  { weights, k, b }: OracleParameters,
): (query: readonly string[]) => readonly number[] {
  const fields = Object.keys(weights)
  const lengthOf = (document: OracleDocument, field: string) => document[field]?.length ?? 0
  const meanLengths = new Map(
    fields.map((field) => {
      const lengths = documents.map((document) => lengthOf(document, field)).filter((length) => length > 0)
      return [field, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)]
    }),
  )
  const postings = new Map<string, Map<number, number>>()
  for (const [position, document] of documents.entries()) {
    for (const field of fields) {
      const relative = lengthOf(document, field) / (meanLengths.get(field) || 1)
      const share = (weights[field] ?? 0) / (1 - b + b * relative)
      for (const word of document[field] ?? []) {
        const counts = postings.get(word) ?? new Map<number, number>()
        counts.set(position, (counts.get(position) ?? 0) + share)
        postings.set(word, counts)
      }
    }
  }
  return (query) => {
    const scores = new Map<number, number>()
    for (const word of new Set(query)) {
      const counts = postings.get(word) ?? new Map<number, number>()
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [position, count] of counts) {
        scores.set(position, (scores.get(position) ?? 0) + (rarity * count) / (k + count))
      }
    }
    return [...scores]
      .sort(([one, first], [other, second]) => second - first || one - other)
      .map(([at]) => at)
  }
}
