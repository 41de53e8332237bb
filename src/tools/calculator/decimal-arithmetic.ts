import { type Failure, failure, type Place } from './failure.ts'
import { largestDecimalText, smallestDecimal, smallestDecimalText } from './limits.ts'
import type { Operator } from './tokenize.ts'

/**
 * Passes a decimal result on, or fails: above the range of doubles, or so near to zero that a double
 * no longer holds 15 digits. The place names the operator or function that made it.
 */
export function checkDecimal(value: number, place: Place): number | Failure {
  const size = Math.abs(value)
  if (size < smallestDecimal && size !== 0) {
    return failure({ problem: 'decimalTooSmall', ...place, limit: smallestDecimalText })
  }
  if (Number.isFinite(value)) return value
  return failure({ problem: 'decimalTooLarge', ...place, limit: largestDecimalText })
}

/**
 * Turns a number into a double without losing a digit. Fails on a whole number that no double holds
 * (the first is 9007199254740993), because a sum with the rounded one could be all wrong.
 */
export function toDecimal(value: number | bigint, place: Place): number | Failure {
  if (typeof value === 'number') return value
  const decimal = Number(value)
  if (Number.isFinite(decimal) && BigInt(decimal) === value) return decimal
  return failure({ problem: 'digitsLost', ...place })
}

/** Quotient rounded down and remainder with the divisor's sign, as Python's `divmod` gives them. */
function divideWithRest(dividend: number, divisor: number): { quotient: number; rest: number } {
  const remainder = dividend % divisor
  const isOtherSign = remainder !== 0 && remainder < 0 !== divisor < 0
  // The remainder is exact, so the difference is a multiple of the divisor, but for its own rounding.
  const quotient = Math.round((dividend - remainder) / divisor)
  return isOtherSign ? { quotient: quotient - 1, rest: remainder + divisor } : { quotient, rest: remainder }
}

function compute(operator: Operator, [left, right]: readonly [number, number]): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '//':
      return divideWithRest(left, right).quotient
    case '%':
      return divideWithRest(left, right).rest
    case '**':
      return left ** right
  }
}

function checkPower([base, exponent]: readonly [number, number], place: Place): Failure | undefined {
  if (base === 0 && exponent < 0) return failure({ problem: 'zeroToNegativePower', ...place })
  if (base >= 0 || Number.isInteger(exponent)) return undefined
  return failure({ problem: 'fractionalPowerOfNegative', ...place })
}

function isProductLike(operator: Operator): boolean {
  return operator === '*' || operator === '/' || operator === '**'
}

/**
 * Computes with two doubles, with the rules of Python for `//` and `%`. Fails on a zero divisor, on a
 * power that is not a real number, and outside the range that {@link checkDecimal} allows.
 */
export function computeDecimals(
  operands: readonly [number, number],
  { found, offset }: Place & { readonly found: Operator },
): number | Failure {
  const [left, right] = operands
  const place = { found, offset }
  if (right === 0 && (found === '/' || found === '//' || found === '%')) {
    return failure({ problem: 'divisionByZero', ...place })
  }
  const refused = found === '**' ? checkPower(operands, place) : undefined
  if (refused !== undefined) return refused
  const value = compute(found, operands)
  // A product of numbers that are not 0 is not 0: it was too small for a double.
  const isUnderflow = value === 0 && left !== 0 && (right !== 0 || found !== '*') && isProductLike(found)
  if (!isUnderflow) return checkDecimal(value, place)
  return failure({ problem: 'decimalTooSmall', ...place, limit: smallestDecimalText })
}
