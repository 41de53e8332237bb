import { withoutChatMarkup } from '../../tool/chat-markup.ts'
import { cutText } from '../cut-text.ts'
import { type DefinitionTexts, definitionTextsEn } from './definition-texts.ts'
import { withoutHidden } from './hidden-characters.ts'

/** A text of a server, made fit to be shown, and what was done to it. */
export interface CleanText {
  readonly text: string
  /** The same, before it was cut: what to look through. */
  readonly whole: string
  /** How many characters (UTF-16 units) the server's text has; what was not looked at counts as it came. */
  readonly chars: number
  /** The names of the characters that were taken out; empty for none. */
  readonly hidden: string
  readonly hadComment: boolean
  readonly hadChatMarkup: boolean
  /** Whether blank lines or spaces pushed something out of sight. */
  readonly hadBlankRun: boolean
  /** How many of the characters are not in `text`. */
  readonly cut: number
}

/** So many times its limit of a text is looked at: a server must not choose how long that takes. */
const maxFactor = 16

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const otherSpaces = /(?! )\p{Zs}/gu
const comment = /<!--[\s\S]*?(?:--!?>|$)/g
const spaceRun = /[ \t]{41,}/g
const blankLines = /\n[ \t]*(?:\n[ \t]*){2,}/g
const longBlankRun = /\n[ \t]*(?:\n[ \t]*){9,}/

/**
 * Cleans a text: takes out hidden characters and HTML comments, breaks up chat markup, folds blank runs, and
 * cuts it after `maxChars` UTF-16 units with a note that says so.
 */
export function cleanText(
  raw: string,
  maxChars: number,
  texts: Pick<DefinitionTexts, 'cutNote'> = definitionTextsEn,
): CleanText {
  const seen = cutText(raw, maxFactor * maxChars)
  const visible = withoutHidden(seen.replace(lineEnds, '\n').replace(otherSpaces, ' '))
  const uncommented = withoutComments(visible.text)
  const folded = uncommented.replace(spaceRun, ' ').replace(blankLines, '\n\n').trim()
  // Last of all: what is taken out or folded may have stood in the midst of a mark.
  const whole = withoutChatMarkup(folded)
  const chars = whole.length + raw.length - seen.length
  const text = chars <= maxChars ? whole : capped(whole, maxChars, texts.cutNote(chars))
  return {
    text,
    whole,
    chars,
    hidden: visible.hidden,
    hadComment: uncommented !== visible.text,
    hadChatMarkup: whole !== folded,
    hadBlankRun: uncommented.search(spaceRun) >= 0 || longBlankRun.test(uncommented),
    cut: Math.max(0, chars - maxChars),
  }
}

/** A text on one line, cut without a note: for titles and names. */
export function oneLine(raw: string, maxChars: number): string {
  const line = cleanText(cutText(raw, maxFactor * maxChars), Number.POSITIVE_INFINITY).text
  return cutText(line.replace(/\s+/g, ' '), maxChars)
}

// Without one comment, what stood round it may be another one.
function withoutComments(text: string): string {
  let rest = text
  for (let pass = 0; pass < 3; pass += 1) rest = rest.replace(comment, '')
  return rest.replaceAll('<!--', '<! --')
}

function capped(text: string, maxChars: number, note: string): string {
  if (maxChars > 2 * note.length) return cutText(text, maxChars - note.length) + note
  return `${cutText(text, maxChars - 1)}…`
}
