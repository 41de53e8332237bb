/**
 * The words of the tools' names. A tool whose whole name a query has is likely meant; a longer name with the same words is
 * another tool's. Worth most where two tools are asked for at once, and among tools with nearly the same names.
 */
export class NameCoverage {
  readonly #terms = new Map<number, readonly string[]>()
  readonly #rows = new Map<string, Set<number>>()

  add(row: number, terms: readonly string[]): void {
    const different = [...new Set(terms)]
    this.#terms.set(row, different)
    for (const term of different) {
      const same = this.#rows.get(term)
      if (same) same.add(row)
      else this.#rows.set(term, new Set([row]))
    }
  }

  remove(row: number): void {
    for (const term of this.#terms.get(row) ?? []) {
      const same = this.#rows.get(term)
      same?.delete(row)
      if (same?.size === 0) this.#rows.delete(term)
    }
    this.#terms.delete(row)
  }

  /**
   * Adds to each score above 0 up to `most`: by the square of the share of its name that is among the terms, where rare
   * words are more of a name than frequent ones.
   */
  raise(scores: Float64Array, terms: Iterable<string>, rarity: (term: string) => number, most: number): void {
    const rarities = new Map<string, number>()
    const rarityOf = (term: string) => {
      const known = rarities.get(term) ?? rarity(term)
      rarities.set(term, known)
      return known
    }
    const covered = new Map<number, number>()
    for (const term of terms) {
      for (const row of this.#rows.get(term) ?? []) {
        covered.set(row, (covered.get(row) ?? 0) + rarityOf(term))
      }
    }
    for (const [row, part] of covered) {
      const score = scores[row] ?? 0
      if (score === 0) continue
      const whole = (this.#terms.get(row) ?? []).reduce((sum, term) => sum + rarityOf(term), 0)
      scores[row] = score + most * (part / whole) ** 2
    }
  }
}
