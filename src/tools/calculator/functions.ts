import { checkDecimal } from './decimal-arithmetic.ts'
import { type Failure, failure, type Place } from './failure.ts'
import { maximumAngle, maximumDigits, maximumRoundDigits } from './limits.ts'
import type { FunctionName } from './vocabulary.ts'
import { divideToNearest, hexadecimalLength, isWithinDigits, toFraction } from './whole-numbers.ts'

type Value = number | bigint
type Arguments = readonly [Value, Value?]

// At 200 hexadecimal digits a whole number is still a finite double, and has far more bits than one.
const keptHexadecimalDigits = 200

/** A whole number as `decimal * 2 ** shift`, the shift even, the decimal cut to more bits than it holds. */
function scale(value: Value): { decimal: number; shift: number } {
  if (typeof value === 'number') return { decimal: value, shift: 0 }
  const shift = 4 * Math.max(0, hexadecimalLength(value) - keptHexadecimalDigits)
  return { decimal: Number(value >> BigInt(shift)), shift }
}

function squareRoot(value: Value, place: Place): Value | Failure {
  if (value < 0) return failure({ problem: 'squareRootOfNegative', ...place })
  const { decimal, shift } = scale(value)
  return checkDecimal(Math.sqrt(decimal) * 2 ** (shift / 2), place)
}

function naturalLogarithm(value: Value): number {
  const { decimal, shift } = scale(value)
  return Math.log(decimal) + shift * Math.LN2
}

/** True when the base to that power is the value itself, so that the logarithm is a whole number. */
function isPower([value, base]: readonly [Value, Value], exponent: number): boolean {
  if (typeof value === 'bigint' && typeof base === 'bigint' && exponent >= 0) {
    return base ** BigInt(exponent) === value
  }
  const power = Number(base) ** exponent
  return Number.isFinite(power) && power === Number(value)
}

function logarithm([value, base = Math.E]: Arguments, place: Place): Value | Failure {
  if (value <= 0) return failure({ problem: 'logarithmArgument', ...place })
  if (base === Math.E) return naturalLogarithm(value)
  if (base <= 0 || Number(base) === 1) return failure({ problem: 'logarithmBase', ...place })
  const quotient = naturalLogarithm(value) / naturalLogarithm(base)
  // log(1000, 10) is 2.9999999999999996 as a quotient. Near a whole number the power is about as large
  // as the value, so it is cheap to compute.
  const nearest = Math.round(quotient)
  const isWhole = Math.abs(quotient - nearest) < 1e-9 && isPower([value, base], nearest)
  return isWhole ? nearest : checkDecimal(quotient, place)
}

function roundInteger(value: bigint, digits: number): bigint {
  if (digits >= 0) return value
  const unit = 10n ** BigInt(-digits)
  return divideToNearest(value, unit) * unit
}

function roundDecimal(value: number, digits: number): number {
  const [dividend, divisor] = toFraction(value)
  const raised = 10n ** BigInt(Math.max(0, digits))
  const lowered = 10n ** BigInt(Math.max(0, -digits))
  // Only reading the digits as a text rounds once; dividing by a power of ten would round twice.
  return Number(`${divideToNearest(dividend * raised, divisor * lowered)}e${-digits}`)
}

function roundToDigits([value, digits]: readonly [Value, Value], place: Place): Value | Failure {
  const count = Number(digits)
  if (!Number.isInteger(count) || Math.abs(count) > maximumRoundDigits) {
    return failure({ problem: 'roundDigits', ...place, limit: maximumRoundDigits })
  }
  if (typeof value === 'number') return checkDecimal(roundDecimal(value, count), place)
  const rounded = roundInteger(value, count)
  if (isWithinDigits(rounded)) return rounded
  return failure({ problem: 'integerTooLarge', ...place, limit: maximumDigits })
}

function round([value, digits]: Arguments, place: Place): Value | Failure {
  if (digits !== undefined) return roundToDigits([value, digits], place)
  if (typeof value === 'bigint') return value
  // Beyond the safe range a double is whole already, but its lower digits mean nothing: it stays a decimal.
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return value
  return divideToNearest(...toFraction(value))
}

/**
 * Calls a function of the grammar with arguments whose number has been checked. Angles are in radians;
 * `round` sends halves to the even neighbour and, without digits, gives a whole number; `log` without
 * a base is the natural one. Fails outside a function's domain and outside the limits.
 */
export function callFunction(
  { name, offset }: { name: FunctionName; offset: number },
  values: Arguments,
): Value | Failure {
  const place = { found: name, offset }
  const [value] = values
  switch (name) {
    case 'sqrt':
      return squareRoot(value, place)
    case 'abs':
      return value < 0 ? -value : value
    case 'round':
      return round(values, place)
    case 'log':
      return logarithm(values, place)
    case 'sin':
    case 'cos': {
      const radians = Number(value)
      if (Math.abs(radians) > maximumAngle)
        return failure({ problem: 'angleTooLarge', ...place, limit: maximumAngle })
      return checkDecimal(name === 'sin' ? Math.sin(radians) : Math.cos(radians), place)
    }
  }
}
