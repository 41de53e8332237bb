import { withoutHidden } from './hidden-characters.ts'

/** A text of a server, made fit to be shown, and what was done to it. */
export interface CleanText {
  readonly text: string
  /** The same, before it was cut: what to look through. */
  readonly whole: string
  /** The names of the characters that were taken out; empty for none. */
  readonly hidden: string
  readonly hadComment: boolean
  readonly hadChatMarkup: boolean
  /** Whether blank lines or spaces pushed something out of sight. */
  readonly hadBlankRun: boolean
  /** How many characters (UTF-16 units) were cut off its end. */
  readonly cut: number
}

const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const otherSpaces = /(?! )\p{Zs}/gu
const comment = /<!--[\s\S]*?(?:--!?>|$)/g
const chatMarkup =
  /<(?=\|[\w ]{1,40}\|>|\/?(?:system|assistant|user|human|tool_result|tool_response|function_results|antml:\w+)>)|\[(?=\/?INST\])/gi
const spaceRun = /[ \t]{41,}/g
const blankLines = /\n[ \t]*(?:\n[ \t]*){2,}/g
const longBlankRun = /\n[ \t]*(?:\n[ \t]*){9,}/

/**
 * Cleans a text: takes out hidden characters and HTML comments, breaks up chat markup, folds blank runs, and
 * cuts it after `maxChars` UTF-16 units with a note that says so.
 */
export function cleanText(raw: string, maxChars: number): CleanText {
  const visible = withoutHidden(raw.replace(lineEnds, '\n').replace(otherSpaces, ' '))
  const uncommented = withoutComments(visible.text)
  const plain = uncommented.replace(chatMarkup, '$& ')
  const folded = plain.replace(spaceRun, ' ').replace(blankLines, '\n\n').trim()
  const text = capped(folded, maxChars)
  return {
    text,
    whole: folded,
    hidden: visible.hidden,
    hadComment: uncommented !== visible.text,
    hadChatMarkup: plain !== uncommented,
    hadBlankRun: plain.search(spaceRun) >= 0 || longBlankRun.test(plain),
    cut: text === folded ? 0 : folded.length - maxChars,
  }
}

/** A text on one line, cut without a note: for titles and names. */
export function oneLine(raw: string, maxChars: number): string {
  return cut(cleanText(raw, Number.POSITIVE_INFINITY).text.replace(/\s+/g, ' '), maxChars)
}

// Without one comment, what stood round it may be another one.
function withoutComments(text: string): string {
  let rest = text
  for (let pass = 0; pass < 3; pass += 1) rest = rest.replace(comment, '')
  return rest.replaceAll('<!--', '<! --')
}

function capped(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const note = ` […cut: the server's text has ${text.length} characters]`
  return maxChars > 2 * note.length ? cut(text, maxChars - note.length) + note : `${cut(text, maxChars - 1)}…`
}

/** The first so many UTF-16 units of a text, and no half of a pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const short = text.slice(0, Math.max(0, length))
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short
}
