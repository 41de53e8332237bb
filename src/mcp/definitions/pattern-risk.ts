import { inOrder, overlap } from './character-set.ts'
import { type DefinitionTexts, definitionTextsEn } from './definition-texts.ts'
import { circlesOf } from './pattern-circles.ts'
import { type PatternStates, type PatternStep, readStates } from './pattern-states.ts'

const maxLength = 1000
/** From one place of a pattern. More are not compared with each other. */
const maxWays = 100
/** Two to the power of this many ways through a pattern are no harm. */
const maxBits = 10
/** At most the square of the text's length: `a.*b` in a text without any limit. */
const maxDegree = 1

/**
 * Why a pattern may not be tried on what a model writes, or undefined when it may. An engine that backtracks
 * tries all ways in which a text can be read; what is counted here is how many that can be: none more in any
 * circle (else they double at each round), and then the product of all choices outside. It errs on the safe
 * side: it does not follow everything, and some patterns that it refuses would do no harm.
 */
export function patternRisk(pattern: string, texts: DefinitionTexts = definitionTextsEn): string | undefined {
  if (pattern.length > maxLength) return texts.longPattern(maxLength)
  try {
    new RegExp(pattern, 'u')
  } catch {
    return texts.noPattern
  }
  const states = readStates(pattern)
  if (states?.steps.every(({ length }) => length <= maxWays) !== true) {
    return texts.complicatedPattern
  }
  return isCheap(states) ? undefined : texts.slowPattern
}

/** The choices on the worst way from a circle to the end. */
interface Choices {
  readonly degree: number
  readonly bits: number
}

const none: Choices = { degree: 0, bits: 0 }

function isCheap(states: PatternStates): boolean {
  const { circles, circleOf } = circlesOf(states)
  const worst: Choices[] = []
  const worstAt = (place: number) => worst[circleOf[place] as number] as Choices
  const isRepeated = (place: number) =>
    states.steps[place]?.some(({ to }) => circleOf[to] === circleOf[place]) ?? false
  for (const [index, places] of circles.entries()) {
    let later = none
    let own = none
    for (const place of places) {
      const steps = states.steps[place] ?? []
      const inside = steps.filter(({ to }) => circleOf[to] === index)
      if (widest(states, inside) > 1) return false
      own = most(own, choicesAt(states, steps, inside))
      // In the order of circlesOf, what comes later in the pattern is already known.
      for (const { to } of steps) if (circleOf[to] !== index) later = most(later, worstAt(to))
    }
    const beyond = own.degree > 0 ? degreeBeyond(states, places, worstAt, isRepeated) : 0
    worst.push({
      degree: Math.max(own.degree + beyond, later.degree),
      bits: own.bits + later.bits,
    })
  }
  return states.starts.every((start) => {
    const { degree, bits } = worstAt(start)
    return degree + (states.isAnchored ? 0 : 1) <= maxDegree && bits + Math.log2(states.emptyWays) <= maxBits
  })
}

/**
 * The degree of what follows a circle, as far as it multiplies with the circle's own choices. A character
 * that the circle cannot take has one place in a text: whatever is behind it is only tried once.
 */
function degreeBeyond(
  { sets, steps }: PatternStates,
  circle: readonly number[],
  worstAt: (place: number) => Choices,
  isRepeated: (place: number) => boolean,
): number {
  const characters = inOrder(circle.flatMap((place) => sets[place] ?? []))
  const seen = new Set(circle)
  const visit = (place: number): number => {
    let degree = 0
    for (const { to } of steps[place] ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      if (!overlap(characters, sets[to] ?? [])) continue
      degree = Math.max(degree, isRepeated(to) ? worstAt(to).degree : visit(to))
    }
    return degree
  }
  return Math.max(...circle.map(visit))
}

/** What an engine may have to choose from at one place: to stay in a circle or leave it, and where to go on. */
function choicesAt(
  states: PatternStates,
  steps: readonly PatternStep[],
  inside: readonly PatternStep[],
): Choices {
  const outside = steps.filter((step) => !inside.includes(step))
  const rounds = inside
    .filter(({ to }) => outside.some((out) => meet(states, to, out.to)))
    .reduce((product, { choices }) => product * choices, 1)
  const bits = Math.log2(widest(states, outside))
  return rounds === Number.POSITIVE_INFINITY
    ? { degree: 1, bits }
    : { degree: 0, bits: bits + Math.log2(rounds) }
}

/** Into how many of the steps one character may lead, at most. */
function widest(states: PatternStates, steps: readonly PatternStep[]): number {
  return steps.reduce(
    (widest, { to }) => Math.max(widest, steps.filter((other) => meet(states, to, other.to)).length),
    1,
  )
}

function meet({ sets }: PatternStates, one: number, other: number): boolean {
  return overlap(sets[one] ?? [], sets[other] ?? [])
}

function most(one: Choices, other: Choices): Choices {
  return { degree: Math.max(one.degree, other.degree), bits: Math.max(one.bits, other.bits) }
}
