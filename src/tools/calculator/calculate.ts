import type { CalculatorTexts } from './calculator-texts.ts'
import { evaluate } from './evaluate.ts'
import { type Failure, failure, isFailure } from './failure.ts'
import { formatNumber } from './format-number.ts'
import { maximumCharacters } from './limits.ts'
import { parseExpression } from './parse-expression.ts'

/** A result and how it is shown, or a sentence that says what is wrong, where, and what to write instead. */
export type Calculation =
  | { readonly value: number | bigint; readonly text: string }
  | { readonly error: string }

function compute(expression: string): number | bigint | Failure {
  if (expression.length > maximumCharacters) {
    const found = String(expression.length)
    return failure({ problem: 'tooLong', offset: maximumCharacters, found, limit: maximumCharacters })
  }
  const tree = parseExpression(expression)
  return isFailure(tree) ? tree : evaluate(tree)
}

/**
 * Computes an expression of at most 1,000 characters: numbers, `+ - * / // % **`, brackets, `sqrt abs
 * round log sin cos`, `pi` and `e`, with Python's precedence and rounding. Never throws; no input runs
 * code or takes long.
 *
 * The value is a bigint when only whole numbers were involved (exact, at most 1,000 digits), else a
 * double; `text` shows it by the rule of {@link formatNumber}. The value is never NaN, infinite or -0.
 */
export function calculate(expression: string, texts: CalculatorTexts): Calculation {
  const result = compute(expression)
  if (isFailure(result)) {
    const { problem, offset, found, instead, limit } = result
    // No character of two units can stand before the first problem, so offsets count characters.
    return { error: texts[problem]({ position: offset + 1, found, instead, limit }) }
  }
  // Adding 0 makes -0 a plain 0.
  const value = typeof result === 'number' ? result + 0 : result
  return { value, text: formatNumber(value) }
}
