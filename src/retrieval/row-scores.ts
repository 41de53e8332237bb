/**
 * What one term gives each row that has it. Orama writes it as to a Map, each row once; a true Map of thousands for each
 * word would be most of what a search costs.
 */
export class RowScores extends Map<number, number> {
  readonly #rows: number[] = []
  readonly #scores: number[] = []

  override has(): boolean {
    return false
  }

  override set(row: number, score: number): this {
    this.#rows.push(row)
    this.#scores.push(score)
    return this
  }

  addTo(sums: Float64Array): void {
    for (const [position, row] of this.#rows.entries()) {
      sums[row] = (sums[row] ?? 0) + (this.#scores[position] ?? 0)
    }
  }
}
