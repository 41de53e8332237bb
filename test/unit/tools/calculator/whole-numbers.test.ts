import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  divideToDecimal,
  divideToNearest,
  floorDivide,
  toFraction,
} from '../../../../src/tools/calculator/whole-numbers.ts'

const small = fc.bigInt({ min: -(2n ** 53n), max: 2n ** 53n })
const large = fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n })

describe('floorDivide', () => {
  it('leaves a rest between 0 and the divisor', () => {
    void fc.assert(
      fc.property(large, large, (dividend, divisor) => {
        fc.pre(divisor !== 0n)
        const rest = dividend - floorDivide(dividend, divisor) * divisor
        expect(divisor > 0n ? rest >= 0n && rest < divisor : rest <= 0n && rest > divisor).toBe(true)
      }),
    )
  })
})

describe('divideToNearest', () => {
  it('sends halves to the even neighbour', () => {
    expect([-5n, -3n, -1n, 1n, 3n, 5n].map((dividend) => divideToNearest(dividend, 2n))).toEqual([
      -2n,
      -2n,
      0n,
      0n,
      2n,
      2n,
    ])
    expect([4n, 5n, 7n, 8n, -4n, -5n].map((dividend) => divideToNearest(dividend, 3n))).toEqual([
      1n,
      2n,
      2n,
      3n,
      -1n,
      -2n,
    ])
  })
})

describe('divideToDecimal', () => {
  it('rounds like the division of doubles, whatever both sides are multiplied by', () => {
    void fc.assert(
      fc.property(small, small, large, (dividend, divisor, factor) => {
        fc.pre(divisor !== 0n && dividend !== 0n && factor !== 0n)
        const expected = Number(dividend) / Number(divisor)
        expect(divideToDecimal(dividend, divisor)).toBe(expected)
        expect(divideToDecimal(dividend * factor, divisor * factor)).toBe(expected)
      }),
    )
  })

  it('reaches both ends of the range of doubles', () => {
    expect(divideToDecimal(10n ** 700n, 10n ** 392n)).toBe(1e308)
    expect(divideToDecimal(10n ** 400n, 1n)).toBe(Number.POSITIVE_INFINITY)
    expect(divideToDecimal(1n, 10n ** 307n)).toBe(1e-307)
    expect(divideToDecimal(-1n, 10n ** 999n)).toBe(-0)
    expect(divideToDecimal(0n, 7n)).toBe(0)
  })
})

describe('toFraction', () => {
  it('gives the exact value of a double', () => {
    expect(toFraction(0.75)).toEqual([3n, 4n])
    void fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const [dividend, divisor] = toFraction(value)
        fc.pre(Math.abs(value) > 1e-300 || value === 0)
        expect(divideToDecimal(dividend, divisor)).toBe(value + 0)
      }),
    )
  })
})
