/** Something that is read again and again, and what the last reading gave. */
export interface LastRead<T> {
  read(): Promise<T>
  /** What the last reading gave; reads once when there was none. */
  last(): Promise<T>
  /** The same without waiting. */
  peek(): T | undefined
}

/** Keeps the last reading: of readings under way at once, the one that began last counts. */
export function lastRead<T>(take: () => Promise<T>): LastRead<T> {
  let begun = 0
  let kept: { readonly value: T; readonly turn: number } | undefined
  let first: Promise<T> | undefined
  const read = async (): Promise<T> => {
    begun += 1
    const turn = begun
    const value = await take()
    if (kept === undefined || turn > kept.turn) kept = { value, turn }
    return value
  }
  const readOnce = (): Promise<T> => {
    first ??= read().finally(() => {
      first = undefined
    })
    return first
  }
  return {
    read,
    last: async () => (kept === undefined ? readOnce() : kept.value),
    peek: () => kept?.value,
  }
}
