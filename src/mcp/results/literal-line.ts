import { cutText } from '../cut-text.ts'
import { withoutHidden } from '../definitions/hidden-characters.ts'

/** Longer words of a server about its content are cut. In characters. */
const maxWordChars = 200

/** Text as strict servers of models take it: a lone half of a surrogate pair is replaced by U+FFFD. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** A name or an address as one short word of a line: nothing in it may end the line or its brackets. */
export function oneWord(value: unknown): string {
  if (typeof value !== 'string') return ''
  // The bytes of a "data:" address are of no use to a reader.
  const shown = value.replace(/^(data:[^,]{0,100}),.*$/isu, '$1,…').slice(0, 2 * maxWordChars)
  const word = withoutHidden(shown.replace(/[\s[\]]+/gu, ' ')).text.trim()
  return word.length <= maxWordChars ? word : `${cutText(word, maxWordChars)}…`
}

/** A size in bytes as people read it. */
export function readableSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e5) / 10} MB`
}
