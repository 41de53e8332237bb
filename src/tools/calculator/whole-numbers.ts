import { maximumDigits } from './limits.ts'

const firstTooLarge = 10n ** BigInt(maximumDigits)

/** True when a whole number has no more digits than a result may have. */
export function isWithinDigits(value: bigint): boolean {
  return value < firstTooLarge && value > -firstTooLarge
}

/** How many hexadecimal digits a whole number has, without its sign: about a quarter of its bits. */
export function hexadecimalLength(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length
}

/** Divides and rounds down, as Python's `//` does: `-7 // 2` is -4. The divisor must not be 0. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  const isExact = quotient * divisor === dividend
  return isExact || dividend < 0n === divisor < 0n ? quotient : quotient - 1n
}

/** Divides and rounds to the nearest whole number, halves to the even one. The divisor must be above 0. */
export function divideToNearest(dividend: bigint, divisor: bigint): bigint {
  const floor = floorDivide(dividend, divisor)
  const doubledRest = 2n * (dividend - floor * divisor)
  const roundsUp = doubledRest > divisor || (doubledRest === divisor && floor % 2n !== 0n)
  return roundsUp ? floor + 1n : floor
}

/**
 * The double nearest to `dividend / divisor`, rounded once from the exact quotient; infinite or 0 when
 * that is outside the range of doubles. The divisor must not be 0.
 */
export function divideToDecimal(dividend: bigint, divisor: bigint): number {
  const size = dividend < 0n ? -dividend : dividend
  const divisorSize = divisor < 0n ? -divisor : divisor
  // The shifted quotient has 64 to 72 bits, more than a double; the last bit tells if something is left over.
  const shift = 68 - 4 * (hexadecimalLength(size) - hexadecimalLength(divisorSize))
  const numerator = shift > 0 ? size << BigInt(shift) : size
  const denominator = shift > 0 ? divisorSize : divisorSize << BigInt(-shift)
  const quotient = numerator / denominator
  const leftOver = quotient * denominator === numerator ? 0n : 1n
  // Scaled in two steps, because 2 ** -shift alone may be outside the range of doubles.
  const half = Math.trunc(-shift / 2)
  const magnitude = Number(2n * quotient + leftOver) * 2 ** half * 2 ** (-shift - half - 1)
  return dividend < 0n === divisor < 0n ? magnitude : -magnitude
}

/** A finite double as an exact fraction, its divisor a power of 2. */
export function toFraction(value: number): readonly [dividend: bigint, divisor: bigint] {
  let dividend = value
  let halvings = 0n
  // Doubling is exact, and ends after at most 1,074 steps.
  while (!Number.isInteger(dividend)) {
    dividend *= 2
    halvings += 1n
  }
  return [BigInt(dividend), 1n << halvings]
}
