import { randomId } from '../random-id.ts'
import { scanJson } from './scan-json.ts'

/** A value that was read from JSON text. */
export interface ParsedJson {
  readonly value: unknown
  /** What the strings begin with that stand for integers too big to be numbers, if there are any. */
  readonly mark?: string
}

/**
 * Reads JSON text without rounding: an integer beyond 2^53 becomes a string of a mark and its digits.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string, mark?: string): ParsedJson {
  const value: unknown = JSON.parse(text)
  // Also the only look at most texts: no smaller number of digits is too big.
  if (!/\d{16}/.test(text)) return { value }
  // Made up for this text, so that no text can hold it.
  const own = mark ?? `${randomId('integer')}:`
  let marked = ''
  let done = 0
  scanJson(text, 0, (from, end) => {
    const digits = text.slice(from, end)
    if (!isBigInteger(digits)) return
    marked += `${text.slice(done, from)}"${own}${digits}"`
    done = end
  })
  return done === 0 ? { value } : { value: JSON.parse(marked + text.slice(done)), mark: own }
}

/** Whether digits say a number that would be rounded as a number. A fraction or an exponent says: about that much. */
export function isBigInteger(digits: string): boolean {
  return /^-?\d{16,}$/.test(digits) && !Number.isSafeInteger(Number(digits))
}
