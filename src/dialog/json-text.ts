import { errorToData } from '../tool/error-data.ts'
import { copyJson, firstIssue, type JsonValue } from '../tool/json-value.ts'
import type { EditorTexts } from './editor-texts.ts'
import type { Reading } from './form-control.ts'
import { literalPieces } from './literal-text.ts'

const stringToken = /"(?:[^"\\]|\\.)*"/g
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const numberText = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A value as indented JSON, in which every character that cannot be seen is written as its number. */
export function printJson(value: JsonValue): string {
  return JSON.stringify(value, null, 2).replace(stringToken, (token) =>
    literalPieces(token)
      .map(({ kind, source }) =>
        kind === 'visible'
          ? source
          : Array.from({ length: source.length }, (_, index) => escapeUnit(source, index)).join(''),
      )
      .join(''),
  )
}

function escapeUnit(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`
}

/** Reads JSON as it is written: a number that JavaScript cannot hold is an error, not another number. */
export function readJson(text: string, texts: EditorTexts): Reading {
  try {
    const copied = copyJson(JSON.parse(text))
    if (copied.issues !== undefined) return { problem: `${texts.notJson} ${firstIssue(copied.issues)}` }
    const isInexact = text.match(stringOrNumber)?.some((token) => !token.startsWith('"') && !isExact(token))
    return isInexact ? { problem: texts.inexactNumber } : { value: copied.value }
  } catch (error) {
    return { problem: `${texts.notJson} ${errorToData(error).message}` }
  }
}

/** Reads a number as JSON writes it. */
export function readNumber(text: string, texts: EditorTexts): Reading {
  if (!numberText.test(text)) return { problem: texts.notNumber }
  // Adding 0 turns -0 into 0, which JSON text could not tell apart.
  return isExact(text) ? { value: Number(text) + 0 } : { problem: texts.inexactNumber }
}

// Whole numbers must come back digit for digit; a fraction is a rounded value by nature.
function isExact(text: string): boolean {
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  return !/^-?\d+$/.test(text) || BigInt(text) === BigInt(value)
}
