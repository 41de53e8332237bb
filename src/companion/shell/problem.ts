import type { Refusal } from './shell.ts'
import type { ProblemCode, ShellTexts } from './shell-texts.ts'

/** What is wrong with a command, as data; {@link refusalOf} makes a sentence of it. */
export interface Problem {
  readonly code: ProblemCode
  /** The word or the characters that are wrong. */
  readonly found: string
  /** Where: the character of the command, or the number of the word, counted from 1. */
  readonly position?: number
  /** The program or sub-command whose rules were used. */
  readonly program?: string
  /** What to write instead. */
  readonly instead?: string
}

/** Either a value, or what is wrong. */
export type Checked<Value> = { readonly value: Value } | { readonly problem: Problem }

/** A refused value. */
export function wrong(
  code: ProblemCode,
  found: string,
  rest?: Omit<Problem, 'code' | 'found'>,
): { problem: Problem } {
  return { problem: { code, found, ...rest } }
}

/** The refusal that a problem is told as. */
export function refusalOf(problem: Problem, texts: ShellTexts): Refusal {
  const { code, position = 0, program = '', instead = '' } = problem
  const found = inSight(problem.found)
  return {
    refused: true,
    code,
    text: texts[code]({ found, position: String(position), program, instead }),
    word: problem.found,
  }
}

/** Cut, and with every character written out that a sentence would hide. */
function inSight(found: string): string {
  const shown = found.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === ' ' ? sign : codePoint(sign)))
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown
}

function codePoint(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
}
