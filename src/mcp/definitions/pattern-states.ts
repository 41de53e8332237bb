import {
  allBut,
  anyCharacter,
  type CharacterSet,
  escapedSets,
  inOrder,
  onlyCharacter,
} from './character-set.ts'

/** A way from one place of a pattern to the next. */
export interface PatternStep {
  readonly to: number
  /**
   * Of a way back for another round: how many numbers of rounds the quantifier allows, Infinity for more than
   * a few. 1 for what leaves no choice.
   */
  readonly choices: number
}

/** The places of a pattern where it takes a character, and which may follow which (Glushkov's automaton). */
export interface PatternStates {
  /** What the character at a place may be; empty for a place that only begins. */
  readonly sets: readonly CharacterSet[]
  /** A way that exists twice is there twice: both are tried. */
  readonly steps: readonly (readonly PatternStep[])[]
  /** Where matching begins: of the pattern, and of each look-around in it. */
  readonly starts: readonly number[]
  /** In how many ways parts of it can be empty: they have no place. */
  readonly emptyWays: number
  /** Whether it can begin at one place of a text only. */
  readonly isAnchored: boolean
}

/** More rounds than this are as many as one likes. */
const fewRounds = 64
/** More ways than this are not looked at. */
const maxSteps = 5000

interface Fragment {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly isNullable: boolean
  /** A look-around with a quantifier in it, or empty in several ways: it must not be repeated. */
  readonly isFragile: boolean
}

const nothing: Fragment = { first: [], last: [], isNullable: true, isFragile: false }

/**
 * Reads a pattern that compiles with the flag `u`. Undefined for what is not followed: references back to a
 * group, repeated look-arounds, syntax of later years.
 */
export function readStates(pattern: string): PatternStates | undefined {
  const reader = new PatternReader(pattern)
  const whole = reader.alternatives()
  if (reader.isStrange || reader.at < pattern.length) return undefined
  reader.start(whole)
  return {
    sets: reader.sets,
    steps: reader.steps,
    starts: reader.starts,
    emptyWays: reader.emptyWays,
    isAnchored: pattern.startsWith('^') && !reader.hasTopChoice,
  }
}

class PatternReader {
  readonly sets: CharacterSet[] = []
  readonly steps: PatternStep[][] = []
  readonly starts: number[] = []
  emptyWays = 1
  at = 0
  isStrange = false
  hasTopChoice = false
  readonly #pattern: string
  #count = 0

  constructor(pattern: string) {
    this.#pattern = pattern
  }

  alternatives(depth = 0): Fragment {
    const all = [this.#sequence(depth)]
    while (this.#take('|')) all.push(this.#sequence(depth))
    if (depth === 0) this.hasTopChoice = all.length > 1
    const empty = all.filter(({ isNullable }) => isNullable).length
    this.emptyWays *= Math.max(1, empty)
    return {
      first: all.flatMap(({ first }) => first),
      last: all.flatMap(({ last }) => last),
      isNullable: empty > 0,
      isFragile: empty > 1 || all.some(({ isFragile }) => isFragile),
    }
  }

  start({ first }: Fragment): void {
    this.starts.push(this.#place([]))
    this.steps.at(-1)?.push(...first.map((to) => ({ to, choices: 1 })))
  }

  #sequence(depth: number): Fragment {
    let all = nothing
    while (this.at < this.#pattern.length && !this.isStrange && !/[|)]/.test(this.#peek())) {
      all = this.#joined(all, this.#repeated(this.#atom(depth)))
    }
    return all
  }

  #joined(one: Fragment, next: Fragment): Fragment {
    this.#connect(one.last, next.first, 1)
    return {
      first: one.isNullable ? [...one.first, ...next.first] : one.first,
      last: next.isNullable ? [...one.last, ...next.last] : next.last,
      isNullable: one.isNullable && next.isNullable,
      isFragile: one.isFragile || next.isFragile,
    }
  }

  #repeated(atom: Fragment): Fragment {
    const found = this.#match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (found === undefined) return atom
    const [, sign, from = sign === '+' ? 1 : 0, comma, to] = found
    const upTo = sign === undefined ? (comma === undefined ? from : to || Number.POSITIVE_INFINITY) : sign
    const most = upTo === '?' ? 1 : upTo === '*' || upTo === '+' ? Number.POSITIVE_INFINITY : Number(upTo)
    // Which of the rounds that must be are empty is a choice of its own.
    if (most > 1 && (atom.isFragile || (atom.isNullable && Number(from) > 1))) this.isStrange = true
    if (most > 1) {
      const choices = most === Number(from) ? 1 : most - Number(from) + 1
      this.#connect(atom.last, atom.first, choices > fewRounds ? Number.POSITIVE_INFINITY : choices)
    }
    return { ...atom, isNullable: atom.isNullable || Number(from) === 0 }
  }

  #atom(depth: number): Fragment {
    if (this.#match(/\^|\$|\\b|\\B/y)) return nothing
    const look = this.#match(/\(\?<?[=!]/y)
    if (look !== undefined) return this.#lookAround(depth)
    if (this.#match(/\((?:\?:|\?<[^>]*>)?(?!\?)/y) !== undefined) {
      const inner = this.alternatives(depth + 1)
      if (!this.#take(')')) this.isStrange = true
      return inner
    }
    const place = this.#place(this.#take('[') ? this.#classSet() : this.#singleSet())
    return { first: [place], last: [place], isNullable: false, isFragile: false }
  }

  #lookAround(depth: number): Fragment {
    const before = this.sets.length
    const inner = this.alternatives(depth + 1)
    if (!this.#take(')')) this.isStrange = true
    const isFar = this.steps.slice(before).some((ways) => ways.some(({ choices }) => choices > fewRounds))
    this.start(inner)
    return { ...nothing, isFragile: isFar || inner.isFragile }
  }

  #classSet(): CharacterSet {
    const isNegated = this.#take('^')
    const ranges: (readonly [number, number])[] = []
    while (!this.#take(']')) {
      if (this.at >= this.#pattern.length) this.isStrange = true
      if (this.isStrange) return []
      const from = this.#singleSet(true)
      const isRange = from.length === 1 && this.#match(/-(?!\])/y) !== undefined
      const to = isRange ? this.#singleSet(true) : from
      if (isRange) ranges.push([from[0]?.[0] ?? 0, to.at(-1)?.[1] ?? 0])
      else ranges.push(...from)
    }
    return isNegated ? allBut(ranges) : inOrder(ranges)
  }

  #singleSet(isInClass = false): CharacterSet {
    const escaped = this.#match(
      /\\(?:([dDwWsS])|[pP]\{[^}]*\}|u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/iy,
    )
    if (escaped !== undefined) {
      const [, named, ...hex] = escaped
      const code = hex.find((digits) => digits !== undefined)
      if (code !== undefined) return onlyCharacter(Number.parseInt(code, 16))
      return (named && escapedSets.get(named)) || anyCharacter
    }
    if (this.#match(/\\[1-9k]/y)) this.isStrange = true
    const control = this.#match(/\\([tnvfrb0])/y)?.[1]
    if (control !== undefined) return onlyCharacter('0.......btnvfr'.indexOf(control))
    if (this.#match(/\\c[a-z]/iy)) return anyCharacter
    if (!isInClass && this.#take('.'))
      return allBut([
        [10, 10],
        [13, 13],
        [0x2028, 0x2029],
      ])
    const [, character = ''] = this.#match(/\\?([\s\S])/uy) ?? []
    if (character === '') this.isStrange = true
    return onlyCharacter(character.codePointAt(0) ?? 0)
  }

  #place(set: CharacterSet): number {
    this.steps.push([])
    return this.sets.push(set) - 1
  }

  #connect(from: readonly number[], to: readonly number[], choices: number): void {
    this.#count += from.length * to.length
    if (this.#count > maxSteps) this.isStrange = true
    else for (const place of from) this.steps[place]?.push(...to.map((next) => ({ to: next, choices })))
  }

  #peek(): string {
    return this.#pattern.charAt(this.at)
  }

  #take(character: string): boolean {
    const isThere = this.#peek() === character
    if (isThere) this.at += 1
    return isThere
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at
    const found = expression.exec(this.#pattern)
    if (found === null) return undefined
    this.at = expression.lastIndex
    return found
  }
}
