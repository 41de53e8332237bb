/** A tool that may be found. */
export interface Candidate {
  readonly name: string
  readonly row: number
  readonly score: number
  /** Its place in the catalogue: of two tools with one score, the first there is the first here. */
  readonly place: number
}

/** The best of many candidates, best first, without sorting all of them. */
export class BestHits {
  readonly #limit: number
  readonly #best: Candidate[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  offer(candidate: Candidate): void {
    const best = this.#best
    const last = best.at(-1)
    if (best.length >= this.#limit && (last === undefined || !isBefore(candidate, last))) return
    let place = best.length
    while (place > 0 && isBefore(candidate, best[place - 1] as Candidate)) place -= 1
    best.splice(place, 0, candidate)
    if (best.length > this.#limit) best.pop()
  }

  /** No candidate with a lower score has a place. */
  get floor(): number {
    return this.#best.length < this.#limit ? 0 : (this.#best.at(-1)?.score ?? 0)
  }

  get list(): readonly Candidate[] {
    return this.#best
  }
}

function isBefore(one: Candidate, other: Candidate): boolean {
  return one.score > other.score || (one.score === other.score && one.place < other.place)
}
