import { randomHex } from '../tool/random-hex.ts'

/** With these words the line begins that opens a fence, before its code. */
export const fenceOpens = '<<outside'
/** With these words the line begins that closes it. */
export const fenceCloses = '<<end'

const mark = /<(?=<[\s/]{0,8}(?:outside|end)\b)/gi
const wholeFence = /^(<<outside ([0-9a-f]{24}): [^\n]*>>\n)([\s\S]*)(\n<<end \2>>)/

/**
 * Encloses a text in two lines with a code of 96 random bits: whoever wrote the text cannot know it, so that nothing in
 * the text is the line that closes it. What looks like such a line is broken up by a space all the same.
 *
 * @param words - For the line that opens it.
 */
export function fence(text: string, words: string): string {
  const code = randomHex()
  const line = words.replace(/[\s<>]+/g, ' ')
  return `${fenceOpens} ${code}: ${line}>>\n${withoutFenceMarks(text)}\n${fenceCloses} ${code}>>`
}

/** How many marks of a fence a text holds of its own. */
export function countFenceMarks(text: string): number {
  return withoutFenceMarks(text).length - text.length
}

function withoutFenceMarks(text: string): string {
  return text.replace(mark, '< ')
}

/** A text that begins with a fence, in its parts. */
export interface FencedText {
  readonly open: string
  readonly inside: string
  readonly close: string
  /** What the library said behind it. */
  readonly behind: string
}

/**
 * The text of a result as the tool gave it, for a person to read: without the fence that tells a model that it comes
 * from outside. What was taken out of it is still gone, and what the library says behind it still there.
 *
 * @example bubble.textContent = withoutFence(result.response.text)
 */
export function withoutFence(text: string): string {
  const fenced = readFence(text)
  return fenced === undefined ? text : fenced.inside + fenced.behind
}

/** A text with one more line: inside of its fence, if it has one, else at its end. */
export function withLine(text: string, line: string): string {
  const fenced = readFence(text)
  if (fenced === undefined) return `${text}\n${line}`
  const { open, inside, close, behind } = fenced
  return `${open}${inside}\n${withoutFenceMarks(line)}${close}${behind}`
}

/** Takes a text apart that begins with a fence; undefined for any other. */
export function readFence(text: string): FencedText | undefined {
  const [whole, open, , inside, close] = wholeFence.exec(text) ?? []
  if (whole === undefined) return undefined
  return { open: `${open}`, inside: `${inside}`, close: `${close}`, behind: text.slice(whole.length) }
}
