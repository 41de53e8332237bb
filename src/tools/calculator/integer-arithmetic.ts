import { checkDecimal } from './decimal-arithmetic.ts'
import { type Failure, failure, type Place } from './failure.ts'
import { maximumDigits, smallestDecimalText } from './limits.ts'
import type { Operator } from './tokenize.ts'
import { divideToDecimal, floorDivide, hexadecimalLength, isWithinDigits } from './whole-numbers.ts'

// A number of more bits than this has more than `maximumDigits` digits.
const maximumBits = Math.ceil(maximumDigits * Math.log2(10))

function tooLarge(place: Place): Failure {
  return failure({ problem: 'integerTooLarge', ...place, limit: maximumDigits })
}

function checkInteger(value: bigint, place: Place): bigint | Failure {
  return isWithinDigits(value) ? value : tooLarge(place)
}

function multiply([left, right]: readonly [bigint, bigint], place: Place): bigint | Failure {
  const leastBits = 4 * (hexadecimalLength(left) + hexadecimalLength(right) - 2)
  return leastBits > maximumBits ? tooLarge(place) : checkInteger(left * right, place)
}

function divide([dividend, divisor]: readonly [bigint, bigint], place: Place): number | Failure {
  const quotient = divideToDecimal(dividend, divisor)
  if (quotient !== 0 || dividend === 0n) return checkDecimal(quotient, place)
  return failure({ problem: 'decimalTooSmall', ...place, limit: smallestDecimalText })
}

/** Undefined when the power has too many digits; then it is not computed. The exponent is 0 or above. */
function boundedPower(base: bigint, exponent: bigint): bigint | undefined {
  // 0, 1 and -1 stay small whatever the exponent: only whether it is 0, odd or even matters.
  if (base >= -1n && base <= 1n) return exponent === 0n ? 1n : base ** (2n - (exponent % 2n))
  if (exponent > BigInt(maximumBits)) return undefined
  const leastBits = 4 * (hexadecimalLength(base) - 1) * Number(exponent)
  if (leastBits > maximumBits) return undefined
  const power = base ** exponent
  return isWithinDigits(power) ? power : undefined
}

function raise([base, exponent]: readonly [bigint, bigint], place: Place): number | bigint | Failure {
  if (exponent >= 0n) return boundedPower(base, exponent) ?? tooLarge(place)
  if (base === 0n) return failure({ problem: 'zeroToNegativePower', ...place })
  const divisor = boundedPower(base, -exponent)
  if (divisor !== undefined) return divide([1n, divisor], place)
  return failure({ problem: 'decimalTooSmall', ...place, limit: smallestDecimalText })
}

/**
 * Computes with two whole numbers, exactly and with the rules of Python: `//` rounds down, the result
 * of `%` has the sign of the divisor, `/` gives a decimal, and so does a negative power.
 *
 * Fails on a zero divisor and on a result of more than 1,000 digits. Products and powers are bounded
 * before they are computed.
 */
export function computeIntegers(
  [left, right]: readonly [bigint, bigint],
  { found, offset }: Place & { readonly found: Operator },
): number | bigint | Failure {
  const place = { found, offset }
  switch (found) {
    case '+':
      return checkInteger(left + right, place)
    case '-':
      return checkInteger(left - right, place)
    case '*':
      return multiply([left, right], place)
    case '**':
      return raise([left, right], place)
  }
  if (right === 0n) return failure({ problem: 'divisionByZero', ...place })
  switch (found) {
    case '/':
      return divide([left, right], place)
    case '//':
      return floorDivide(left, right)
    case '%':
      return left - right * floorDivide(left, right)
  }
}
