/** How much of a query a provider takes. */
export interface QueryLimits {
  readonly chars: number
  readonly words?: number
}

/** The start of a query that a provider would refuse as a whole, up to the end of a word where there is one. */
export function limitQuery(query: string, { chars, words }: QueryLimits): string {
  const kept = query.trim().split(/\s+/u).slice(0, words).join(' ')
  if (kept.length <= chars) return kept
  const cut = kept.slice(0, chars + 1)
  const end = cut.lastIndexOf(' ')
  // Not in the middle of a character.
  return end > 0 ? cut.slice(0, end) : cut.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')
}
