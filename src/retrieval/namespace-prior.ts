/** The best so many tools of a namespace speak for it. */
const bestTools = 3

/** Which tools come from one server or toolkit. Where several of them answer a query, it is likely meant. */
export class NamespacePrior {
  readonly #namespaces = new Map<number, string>()

  add(row: number, namespace: string): void {
    if (namespace !== '') this.#namespaces.set(row, namespace)
  }

  remove(row: number): void {
    this.#namespaces.delete(row)
  }

  /** Adds to the score of each tool that has one so much of the mean of its namespace's best. */
  raise(scores: Float64Array, share: number): void {
    const best = new Map<string, number[]>()
    for (const [row, namespace] of this.#namespaces) {
      const score = scores[row] ?? 0
      if (score === 0) continue
      const list = best.get(namespace)
      if (list === undefined) best.set(namespace, [score])
      else if (list.length < bestTools || score > (list.at(-1) ?? 0)) keepBest(list, score)
    }
    for (const [row, namespace] of this.#namespaces) {
      const score = scores[row] ?? 0
      if (score === 0) continue
      const sum = best.get(namespace)?.reduce((total, each) => total + each, 0) ?? 0
      scores[row] = score + (share * sum) / bestTools
    }
  }
}

function keepBest(list: number[], score: number): void {
  list.push(score)
  list.sort((one, other) => other - one)
  if (list.length > bestTools) list.pop()
}
