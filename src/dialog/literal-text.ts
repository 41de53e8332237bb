/**
 * A part of a text as it is shown. The `source` of all parts, joined, is the whole text: nothing is cut.
 * `visible` is shown as it is; `marked` is shown as its `label`; a `break` as its `label` and a new line.
 */
export interface LiteralPiece {
  readonly kind: 'visible' | 'marked' | 'break'
  readonly source: string
  readonly label: string
}

/** A run of equal characters that is longer than this is told as a number. */
const maxBlankLines = 2

// What has no ink of its own: controls, format and bidi characters, tags, lone surrogates, private and
// unassigned code points, line separators, spaces other than the usual one, fillers, variation selectors,
// the empty braille pattern and the placeholder for an object. The one exception is the selector that
// turns a text symbol into an emoji, because that change is seen.
const withoutInk =
  '(?:(?![ \\n])(?!(?<=(?!\\p{Emoji_Presentation})\\p{Extended_Pictographic})\\uFE0F)' +
  '[\\p{C}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\uFFFC])+'

// Spaces that push a text out of sight, marks that sit on nothing, and marks piled over other lines.
const misplaced = ' {41,}|(?<=^|[\\p{C}\\p{Z}])\\p{M}+|(?<=\\p{M}{4})\\p{M}+'

const needsMark = new RegExp(`\\n+|${withoutInk}|${misplaced}`, 'gu')

/**
 * Splits a text so that whoever reads it sees all that is in it: what is invisible, turns the direction of
 * writing round, or moves other text about becomes a label such as `U+202E`. Letters that only look like
 * others (homoglyphs) stay as they are.
 */
export function literalPieces(text: string): readonly LiteralPiece[] {
  const pieces: LiteralPiece[] = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(needsMark)) {
    if (index > end) pieces.push(visible(text.slice(end, index)))
    pieces.push(...(found.startsWith('\n') ? lineBreaks(found) : [marked(found)]))
    end = index + found.length
  }
  if (end < text.length) pieces.push(visible(text.slice(end)))
  return pieces
}

function visible(source: string): LiteralPiece {
  return { kind: 'visible', source, label: source }
}

function marked(source: string): LiteralPiece {
  return { kind: 'marked', source, label: labelOf(source) }
}

function lineBreaks(source: string): LiteralPiece[] {
  if (source.length > maxBlankLines) {
    return [{ kind: 'break', source, label: `↵ ×${source.length}` }]
  }
  return Array.from(source, (line) => ({ kind: 'break', source: line, label: '↵' }))
}

// Equal characters in a row are counted: a million of them are one short label.
function labelOf(source: string): string {
  const runs: { name: string; times: number }[] = []
  for (const character of source) {
    const name = nameOf(character)
    const last = runs.at(-1)
    if (last?.name === name) last.times += 1
    else runs.push({ name, times: 1 })
  }
  return runs.map(({ name, times }) => (times === 1 ? name : `${name} ×${times}`)).join(' ')
}

function nameOf(character: string): string {
  if (character === '\t') return '⇥'
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${hex.padStart(4, '0')}`
}

/** The beginning and the end of a long text, and how many UTF-16 units lie between. */
export interface TextPreview {
  readonly start: string
  readonly omitted: number
  readonly end: string
}

const maxWholeLength = 480
const maxWholeLines = 14
const startLimit = { length: 200, lines: 5 }
const endLimit = { length: 80, lines: 2 }

/** What of a text is shown before it is unfolded, or undefined when the text is short enough as it is. */
export function previewOf(text: string): TextPreview | undefined {
  if (text.length <= maxWholeLength && text.split('\n', maxWholeLines + 1).length <= maxWholeLines) return
  const start = beginning(text, startLimit)
  const end = ending(text.slice(start.length), endLimit)
  return { start, end, omitted: text.length - start.length - end.length }
}

/** The first so many UTF-16 units of a text, and an ellipsis when that is not all of it. */
export function firstOf(text: string, length: number): string {
  return text.length > length ? `${beginning(text, { length, lines: length })}…` : text
}

interface PreviewLimit {
  readonly length: number
  readonly lines: number
}

function beginning(text: string, { length, lines }: PreviewLimit): string {
  const short = text.slice(0, length).split('\n').slice(0, lines).join('\n')
  // Half of a pair would be shown as a lone surrogate that the text does not have.
  return isHighSurrogate(short.at(-1)) && isLowSurrogate(text[short.length]) ? short.slice(0, -1) : short
}

function ending(text: string, { length, lines }: PreviewLimit): string {
  const short = text.slice(-length).split('\n').slice(-lines).join('\n')
  return isLowSurrogate(short[0]) && isHighSurrogate(text.at(-short.length - 1)) ? short.slice(1) : short
}

function isHighSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\uD800' && unit <= '\uDBFF'
}

function isLowSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\uDC00' && unit <= '\uDFFF'
}
