import type { PatternStates } from './pattern-states.ts'

/** The places of a pattern in groups: within one, each can be reached from each. */
export interface PatternCircles {
  /** Those that come later in the pattern first. */
  readonly circles: readonly (readonly number[])[]
  /** Of each place, in which it is. */
  readonly circleOf: readonly number[]
}

/** The strongly connected components of a pattern's places, by Tarjan's algorithm. */
export function circlesOf({ steps }: PatternStates): PatternCircles {
  const circles: number[][] = []
  const circleOf: number[] = []
  const order: number[] = []
  const lowest: number[] = []
  const open: number[] = []
  let next = 0
  const visit = (place: number) => {
    order[place] = lowest[place] = next
    next += 1
    open.push(place)
    for (const { to } of steps[place] ?? []) {
      if (order[to] === undefined) visit(to)
      if (circleOf[to] === undefined) lowest[place] = Math.min(lowest[place] ?? 0, lowest[to] ?? 0)
    }
    if (lowest[place] !== order[place]) return
    const circle = open.splice(open.lastIndexOf(place))
    for (const member of circle) circleOf[member] = circles.length
    circles.push(circle)
  }
  for (const place of steps.keys()) if (order[place] === undefined) visit(place)
  return { circles, circleOf }
}
