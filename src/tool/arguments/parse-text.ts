import type { JsonObject } from '../json-value.ts'
import { isRecord } from '../value-kinds.ts'
import type { ArgumentRepair } from './argument-repair.ts'
import { type ParsedJson, parseJson } from './parse-json.ts'
import { faultAt, type JsonFault, scanJson } from './scan-json.ts'

/** What a text holds, or why it cannot be read. */
export type ParsedText = (ParsedJson & { readonly repaired?: ArgumentRepair }) | { readonly fault: JsonFault }

/**
 * Reads raw text that should be the JSON of one object. Of other text it takes the one object in it, if there is
 * no doubt which one that is.
 *
 * @param fits - Whether the tool would take an object. Words round one that it would not take may be a part of it.
 */
export function parseText(text: string, fits: (value: JsonObject) => boolean): ParsedText {
  const whole = scanJson(text, 0)
  if (whole.fault === undefined && /^[ \t\n\r]*$/.test(text.slice(whole.end))) {
    const parsed = parseJson(text)
    return typeof parsed.value === 'string' ? decodeTwice(parsed.value) : parsed
  }
  const trimmed = text.trimStart()
  if (trimmed === '') return { value: null }
  // In a string that was cut off there may be a whole object.
  const isString = trimmed.startsWith('"') && whole.fault?.kind === 'cut-off'
  const start = text.indexOf('{')
  if (isString || start < 0 || whole.fault?.kind === 'depth') {
    return { fault: whole.fault ?? faultAt('more', text, whole.end) }
  }
  return objectInText(text, start, fits)
}

/** An object that was encoded twice. What is encoded more often stays a string, which no tool takes. */
function decodeTwice(text: string): ParsedText {
  if (text.trim() === '') return { value: null }
  try {
    const parsed = parseJson(text)
    return isRecord(parsed.value) ? { ...parsed, repaired: 'encoded-twice' } : { value: text }
  } catch {
    const { fault } = scanJson(text, 0)
    return fault !== undefined && text.trimStart().startsWith('{') ? { fault } : { value: text }
  }
}

/** The object in a code fence, or with words round it: exactly one, closed, and nothing like a second one. */
function objectInText(text: string, start: number, fits: (value: JsonObject) => boolean): ParsedText {
  const { end, fault } = scanJson(text, start)
  if (fault !== undefined) return { fault }
  const [before, after] = [text.slice(0, start), text.slice(end)]
  const more = after.search(/["{}[\]]/)
  if (more >= 0) return { fault: faultAt('more', text, end + more) }
  const isOpened = before.includes('```')
  if (isOpened && !after.includes('```')) return { fault: faultAt('cut-off', text, text.length) }
  const parsed = parseJson(text.slice(start, end))
  const isFence = /^\s*```\w*\s*$/.test(before) && /^\s*```\s*$/.test(after)
  if (isFence) return { ...parsed, repaired: 'code-fence' }
  const isClear = !/["{}[\]]/.test(before) && fits(parsed.value as JsonObject)
  if (!isClear) return { fault: faultAt('around', text, before.trim() === '' ? end : 0) }
  return { ...parsed, repaired: 'surrounding-text' }
}
