import type { LongResultTexts, ResultPlace } from '../tool/result-texts.ts'

/** The ends of a text, and which place between them is missing. */
export interface CutEnds {
  readonly text: string
  readonly left: ResultPlace
}

/** So much of the room is for the beginning of a text, which says most. */
const headShare = 0.7

/**
 * The beginning and the end of a text, in at most `room` characters, with a line between them that says how many are
 * left out. No character is cut in two.
 */
export function cutEnds(text: string, room: number, { leftOut }: Pick<LongResultTexts, 'leftOut'>): CutEnds {
  // As long as the line can become.
  const forText = Math.max(0, room - leftOut(text.length).length - 2)
  const from = wholeBefore(text, Math.ceil(forText * headShare))
  const to = wholeFrom(text, text.length - (forText - Math.ceil(forText * headShare)))
  const ends = `${text.slice(0, from)}\n${leftOut(to - from)}\n${text.slice(to)}`
  return { text: ends, left: { from, to, total: text.length } }
}

/** The place itself, or the one before it where it stands inside a surrogate pair. */
export function wholeBefore(text: string, place: number): number {
  return isInsidePair(text, place) ? place - 1 : place
}

/** The place itself, or the one behind it where it stands inside a surrogate pair. */
export function wholeFrom(text: string, place: number): number {
  return isInsidePair(text, place) ? place + 1 : place
}

function isInsidePair(text: string, place: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, place - 1), place + 1))
}
