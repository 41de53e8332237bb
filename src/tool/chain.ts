interface Link<Item> {
  readonly item: Item
  before: Link<Item> | undefined
  behind: Link<Item> | undefined
}

/**
 * Items in the order in which they came, each of which may go at any time. Not a set: that makes itself anew for every
 * few that come and go.
 */
export class Chain<Item> {
  #first: Link<Item> | undefined
  #last: Link<Item> | undefined

  get first(): Item | undefined {
    return this.#first?.item
  }

  /** Returns the way to take the item out again. */
  add(item: Item): () => void {
    const link: Link<Item> = { item, before: this.#last, behind: undefined }
    if (this.#last === undefined) this.#first = link
    else this.#last.behind = link
    this.#last = link
    return () => this.#remove(link)
  }

  removeFirst(): void {
    if (this.#first !== undefined) this.#remove(this.#first)
  }

  #remove(link: Link<Item>): void {
    const { before, behind } = link
    const isGone = before === undefined && this.#first !== link
    if (isGone) return
    if (before === undefined) this.#first = behind
    else before.behind = behind
    if (behind === undefined) this.#last = before
    else behind.before = before
    link.before = undefined
    link.behind = undefined
  }
}
