import { type Failure, failure } from './failure.ts'
import { largestDecimalText, maximumDigits, smallestDecimal, smallestDecimalText } from './limits.ts'
import { characterReplacement } from './vocabulary.ts'
import { isWithinDigits } from './whole-numbers.ts'

/** An operator of the grammar; `+` and `-` are also signs. */
export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**'

/**
 * One piece of an expression. What is not in the grammar becomes a token of kind `invalid`, so that
 * the parser reports the first problem in reading order. `offset` counts UTF-16 units.
 */
export type Token =
  | {
      readonly kind: 'number'
      readonly text: string
      readonly offset: number
      readonly value: number | bigint
    }
  | { readonly kind: 'operator'; readonly text: Operator; readonly offset: number }
  | { readonly kind: 'name' | '(' | ')' | ',' | 'end'; readonly text: string; readonly offset: number }
  | { readonly kind: 'invalid'; readonly text: string; readonly offset: number; readonly failure: Failure }

const spaces = /\s*/y
const names = /[\p{L}_][\p{L}\p{M}\p{Nd}_]*/uy
const operators = /\*\*|\/\/|[+\-*/%]/y
const marks = /[(),]/y
const prefixedNumbers = /0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+/y
const plainNumbers = /(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y
const numberRests = /[\p{L}\p{Nd}_.]*/uy

function match(pattern: RegExp, expression: string, offset: number): string {
  pattern.lastIndex = offset
  return pattern.exec(expression)?.[0] ?? ''
}

function invalid(text: string, reason: Failure): Token {
  return { kind: 'invalid', text, offset: reason.offset, failure: reason }
}

function wholeNumber(text: string, digits: string, offset: number): Token {
  const value = BigInt(digits)
  if (isWithinDigits(value)) return { kind: 'number', text, offset, value }
  return invalid(text, failure({ problem: 'integerTooLarge', offset, found: text, limit: maximumDigits }))
}

function decimalNumber(text: string, digits: string, offset: number): Token {
  const value = Number(digits)
  if (!Number.isFinite(value)) {
    return invalid(
      text,
      failure({ problem: 'decimalTooLarge', offset, found: text, limit: largestDecimalText }),
    )
  }
  const isWrittenAsZero = !/[1-9]/.test(digits.replace(/[eE].*/, ''))
  if (value < smallestDecimal && !isWrittenAsZero) {
    return invalid(
      text,
      failure({ problem: 'decimalTooSmall', offset, found: text, limit: smallestDecimalText }),
    )
  }
  return { kind: 'number', text, offset, value }
}

function readNumber(expression: string, offset: number): Token | undefined {
  const prefixed = match(prefixedNumbers, expression, offset)
  const text = prefixed || match(plainNumbers, expression, offset)
  if (text === '') return undefined
  const rest = match(numberRests, expression, offset + text.length)
  // A letter behind a plain number is a name (`2pi`); behind `0x…`, and for `0x` alone, it is a slip.
  const isMalformed =
    prefixed !== '' ? rest !== '' : /^[\d_.]/.test(rest) || (text === '0' && /^[xob]/i.test(rest))
  if (isMalformed) return invalid(text + rest, failure({ problem: 'badNumber', offset, found: text + rest }))
  const digits = text.replaceAll('_', '')
  // BigInt('010') is 10: a leading zero never means octal.
  if (prefixed !== '' || /^\d+$/.test(digits)) return wholeNumber(text, digits, offset)
  return decimalNumber(text, digits, offset)
}

function readInvalid(expression: string, offset: number): Token {
  const character = String.fromCodePoint(expression.codePointAt(offset) ?? 0)
  if (character === '=') return invalid(character, failure({ problem: 'assignment', offset }))
  if (/["'`“”‘’]/.test(character)) return invalid(character, failure({ problem: 'quotedText', offset }))
  if (character === ';') return invalid(character, failure({ problem: 'severalExpressions', offset }))
  // A control, bidi or lone surrogate character would garble the sentence that names it.
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  const found = /[\p{C}\p{Z}\p{M}]/u.test(character) ? `U+${code}` : character
  const instead = characterReplacement(character)
  if (instead === undefined)
    return invalid(character, failure({ problem: 'unexpectedCharacter', offset, found }))
  return invalid(character, failure({ problem: 'writeInstead', offset, found, instead }))
}

function readToken(expression: string, offset: number): Token {
  const number = readNumber(expression, offset)
  if (number !== undefined) return number
  const name = match(names, expression, offset)
  if (name !== '') return { kind: 'name', text: name, offset }
  const operator = match(operators, expression, offset)
  if (operator !== '') return { kind: 'operator', text: operator as Operator, offset }
  const mark = match(marks, expression, offset)
  if (mark !== '') return { kind: mark as '(' | ')' | ',', text: mark, offset }
  return readInvalid(expression, offset)
}

/**
 * Cuts an expression into tokens; the last one is of kind `end`. Never fails: see {@link Token}.
 *
 * Whole numbers become bigints: `12`, `1_000`, `010` (ten), `0x10`, `0o17`, `0b11`. Numbers with a
 * point or an exponent become doubles: `1.5`, `.5`, `5.`, `1e3`.
 */
export function tokenize(expression: string): readonly Token[] {
  const tokens: Token[] = []
  let offset = match(spaces, expression, 0).length
  while (offset < expression.length) {
    const token = readToken(expression, offset)
    tokens.push(token)
    offset += token.text.length
    offset += match(spaces, expression, offset).length
  }
  tokens.push({ kind: 'end', text: '', offset: expression.length })
  return tokens
}
