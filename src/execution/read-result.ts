import type { LongResultTexts } from '../tool/result-texts.ts'
import { ToolResponse } from '../tool/tool-response.ts'
import { wholeBefore, wholeFrom } from './cut-ends.ts'

/** What the tool that reads long results is asked for. */
export interface ReadRequest {
  readonly handle: string
  /** @default 0 */
  readonly offset?: number
  /** @default as many as fit */
  readonly length?: number
  /** A literal text. With it, places are found and nothing is read in order. */
  readonly pattern?: string
}

/** So much is shown on each side of what was found, in characters. */
const around = 120
const maxFound = 20

/**
 * One piece of a text, from an offset in it, of at most `room` characters together with the note behind it; `data.text`
 * is the piece alone. No character is cut in two, and pieces that follow each other by the offsets of their notes make
 * up the whole text.
 */
export function readPiece(
  text: string,
  { offset = 0, length = Number.POSITIVE_INFINITY }: ReadRequest,
  room: number,
  texts: LongResultTexts,
): ToolResponse {
  const total = text.length
  const from = wholeBefore(text, offset)
  const most = room - texts.pieceNote({ from: total, to: total - 1, total }).length - 1
  const end = Math.min(total, from + Math.max(1, Math.min(length, most)))
  // A pair is read whole where only half of it was asked for: each piece leads on.
  const to = Math.max(wholeBefore(text, end), wholeFrom(text, from + 1))
  const piece = text.slice(from, to)
  const place = { from, to, total }
  return ToolResponse.ok(`${piece}\n${texts.pieceNote(place)}`, { data: { text: piece, ...place } })
}

/** The places where a text stands in another one, in upper or lower case, with what stands around them. */
export function findPlaces(
  text: string,
  { offset = 0, pattern = '' }: ReadRequest,
  room: number,
  texts: LongResultTexts,
): ToolResponse {
  // Every character stands for itself, so that no pattern takes long.
  const literal = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  literal.lastIndex = offset
  let left = room - texts.foundNote(maxFound, text.length).length
  const lines: string[] = []
  const offsets: number[] = []
  let next: number | undefined
  for (let found = literal.exec(text); found !== null; found = literal.exec(text)) {
    const { index } = found
    const from = wholeBefore(text, Math.max(0, index - around))
    const to = wholeFrom(text, Math.min(text.length, index + found[0].length + around))
    const line = `${texts.foundAt(index)}\n${text.slice(from, to)}\n`
    // The first one is always shown: who searches on from where nothing was shown would never end.
    if ((line.length > left && offsets.length > 0) || offsets.length === maxFound) {
      next = index
      break
    }
    left -= line.length
    lines.push(line)
    offsets.push(index)
  }
  const data = { offsets, total: text.length, ...(next === undefined ? {} : { next }) }
  return ToolResponse.ok(`${lines.join('')}${texts.foundNote(offsets.length, next)}`, { data })
}
