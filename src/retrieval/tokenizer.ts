import { porterStem } from './porter-stem.ts'
import { stopWords } from './stop-words.ts'

/** A part of a text that can be searched for. */
export interface Word {
  /** What the index knows it by: folded, stemmed, and ended by {@link endMark}. */
  readonly term: string
  /** Where it stands in the normalized text. */
  readonly start: number
  readonly end: number
}

/** A text as a tokenizer reads it: normalized (NFKC), and cut where it is too long. */
export interface ReadText {
  readonly text: string
  /** In order; stop words are left out. */
  readonly words: readonly Word[]
}

/**
 * Ends every term. Orama finds all words that begin with what is searched for; no text holds this character, so only the
 * whole term begins with a term that ends in it. Nor is such a term the name of a member of Object.prototype.
 */
export const endMark = '\u0001'

/** Of a text that is longer, only so many characters are read. */
const maxTextLength = 20_000

// Scripts that are written without spaces; and Hangul, whose words carry their particles with them.
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々\\p{Script=Hangul}\\p{Script=Thai}' +
  '\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}'
const isUnspaced = new RegExp(`[${unspaced}]`, 'u')
const unspacedRun = `(?<run>[${unspaced}][${unspaced}\\p{M}]*)`
// The parts of an identifier: a number; capitals before a capitalized word; a capitalized word; letters of one case.
const letters = `(?![${unspaced}])`
const identifierPart = [
  '\\p{N}+',
  `(?:${letters}\\p{Lu})+(?!\\p{Ll})`,
  `(?:${letters}\\p{Lu})?(?:${letters}[\\p{L}\\p{M}](?<!\\p{Lu}))+`,
].join('|')
const pieces = new RegExp(`${unspacedRun}|${identifierPart}`, 'gu')
const character = /\P{M}\p{M}*/gu

/**
 * Reads documents and queries alike: identifiers are split at capitals, digits and signs, words are folded to lower case
 * without accents and stemmed (English), and scripts without spaces give each character and each pair of neighbours.
 * No text makes it throw.
 */
export function readText(raw: string): ReadText {
  const text = raw.slice(0, maxTextLength).normalize('NFKC').slice(0, maxTextLength)
  const words: Word[] = []
  for (const { 0: piece, index, groups } of text.matchAll(pieces)) {
    if (groups?.run === undefined) addWord(words, piece, index)
    else addPairs(words, piece, index)
  }
  return { text, words }
}

/** Whether a text has characters of a script whose words are not told apart by spaces. */
export function hasUnspacedScript(text: string): boolean {
  return isUnspaced.test(text)
}

function addWord(words: Word[], piece: string, start: number): void {
  const folded = fold(piece)
  if (folded === '' || stopWords.has(folded)) return
  words.push({ term: termOf(folded), start, end: start + piece.length })
}

function addPairs(words: Word[], run: string, start: number): void {
  let before: { readonly character: string; readonly start: number } | undefined
  for (const { 0: each, index } of run.matchAll(character)) {
    const end = start + index + each.length
    if (before) words.push({ term: before.character + each + endMark, start: before.start, end })
    if (!stopWords.has(each)) words.push({ term: each + endMark, start: start + index, end })
    before = { character: each, start: start + index }
  }
}

function fold(piece: string): string {
  const lower = piece.toLowerCase()
  if (isAscii.test(lower)) return lower
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
}

const isAscii = /^[\u0020-\u007e]*$/

/** Stems that were made already: the words of tools come again and again. */
const terms = new Map<string, string>()
const maxTerms = 20_000

function termOf(folded: string): string {
  const known = terms.get(folded)
  if (known !== undefined) return known
  if (terms.size >= maxTerms) terms.clear()
  const term = porterStem(folded) + endMark
  terms.set(folded, term)
  return term
}
