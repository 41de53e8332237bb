import { shorten } from '../../tool/error-data.ts'

/** A line that a search found. */
export interface NoteHit {
  readonly path: string
  /** Counted from 1. */
  readonly line: number
  /** The line, or the part of it round the first word that was found: at most 200 characters. */
  readonly text: string
}

const maxHitChars = 200
const charsBefore = 60

/** The words of a search, as they are looked for. */
export function searchWords(query: string): readonly string[] {
  return alike(query)
    .split(/\s+/u)
    .filter((word) => word !== '')
}

/**
 * The lines that hold all the words, whatever their case and order. Plain text: no character has a meaning of its
 * own, so a search takes time by the length of the text and nothing else.
 */
export function searchText(path: string, text: string, words: readonly string[]): readonly NoteHit[] {
  return text.split('\n').flatMap((line, index) => {
    const searched = alike(line)
    const places = words.map((word) => searched.indexOf(word))
    if (places.some((place) => place < 0)) return []
    return [{ path, line: index + 1, text: excerpt(line, Math.min(...places)) }]
  })
}

function alike(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function excerpt(line: string, place: number): string {
  if (line.length <= maxHitChars) return line
  const start = place <= charsBefore ? 0 : place - charsBefore
  // Not in the middle of a character.
  const part = line.slice(start).replace(/^[\uDC00-\uDFFF]/, '')
  return `${start === 0 ? '' : '…'}${shorten(part, maxHitChars - 2)}`
}
