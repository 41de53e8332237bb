import { cutText } from '../cut-text.ts'
import type { ResultTexts } from './result-texts.ts'

/** A text that is short enough, and how much of it is missing. */
export interface CappedText {
  readonly text: string
  readonly cutChars?: number
}

/**
 * A text of at most `maxChars` characters, which says at its end how much was cut off.
 *
 * @param note - Goes behind the text and is not cut off with it.
 */
export function cappedText(text: string, note: string, maxChars: number, texts: ResultTexts): CappedText {
  if (text.length + note.length <= maxChars) return { text: text + note }
  // As long as the words about the cut can become.
  const room = maxChars - note.length - texts.cutOff(text.length, text.length).length
  const kept = cutText(text, room)
  const cutChars = text.length - kept.length
  // Where not even the words fit, the limit holds all the same.
  return { text: cutText(kept + texts.cutOff(cutChars, text.length) + note, maxChars), cutChars }
}
