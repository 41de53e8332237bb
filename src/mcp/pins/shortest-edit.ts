/** A run of items of two lists: in both, or in one of them only. Ends of ranges are not included. */
export interface EditRun {
  readonly kind: 'same' | 'removed' | 'added'
  readonly from: number
  readonly to: number
}

/**
 * A shortest way from one list to another, as runs: indexes of `before` for what is the same or removed, of
 * `after` for what is added. Undefined when it takes more than `maxEdits` of them. (Myers, "An O(ND)
 * Difference Algorithm and Its Variations", 1986.) Time and memory grow with the square of the edits, never
 * with more.
 */
export function shortestEdit(
  before: readonly string[],
  after: readonly string[],
  maxEdits: number,
): readonly EditRun[] | undefined {
  const traces: Int32Array[] = []
  const width = maxEdits + 1
  // How far each diagonal has come in `before`; diagonals are counted from -width.
  const reached = new Int32Array(2 * width + 1)
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    traces.push(reached.slice(width - edits, width + edits + 1))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const fromAbove = comesFromAbove(reached, width, diagonal, edits)
      let at = fromAbove ? (reached[width + diagonal + 1] ?? 0) : (reached[width + diagonal - 1] ?? 0) + 1
      while (at < before.length && at - diagonal < after.length && before[at] === after[at - diagonal])
        at += 1
      reached[width + diagonal] = at
      if (at >= before.length && at - diagonal >= after.length)
        return walkBack(traces, before.length, after.length)
    }
  }
  return undefined
}

function comesFromAbove(reached: Int32Array, middle: number, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true
  return diagonal !== edits && (reached[middle + diagonal - 1] ?? 0) < (reached[middle + diagonal + 1] ?? 0)
}

function walkBack(traces: readonly Int32Array[], beforeEnd: number, afterEnd: number): readonly EditRun[] {
  const runs: EditRun[] = []
  const add = (kind: EditRun['kind'], from: number, to: number) => {
    if (to > from) runs.push({ kind, from, to })
  }
  let [at, beside] = [beforeEnd, afterEnd]
  for (let edits = traces.length - 1; edits > 0; edits -= 1) {
    const trace = traces[edits] as Int32Array
    const diagonal = at - beside
    const fromAbove = comesFromAbove(trace, edits, diagonal, edits)
    const previous = fromAbove ? diagonal + 1 : diagonal - 1
    const start = trace[edits + previous] ?? 0
    const afterEdit = fromAbove ? start : start + 1
    add('same', afterEdit, at)
    if (fromAbove) add('added', start - previous, start - previous + 1)
    else add('removed', start, start + 1)
    at = start
    beside = start - previous
  }
  add('same', 0, at)
  return runs.reverse()
}
