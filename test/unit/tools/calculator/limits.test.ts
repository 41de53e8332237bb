import { describe, expect, it } from 'vitest'
import { calculate } from '../../../../src/tools/calculator/calculate.ts'
import { calculatorTextsEn } from '../../../../src/tools/calculator/calculator-texts.ts'

function answer(expression: string): string {
  const result = calculate(expression, calculatorTextsEn)
  return 'error' in result ? `error: ${result.error}` : result.text
}

/** Repeats a piece as often as it fits into 1,000 characters, then ends with `end`. */
function fill(piece: string, end = ''): string {
  return piece.repeat(Math.floor((1000 - end.length) / piece.length)) + end
}

const tooManyDigits = /at most 1000 digits/
const beyondDecimals = /too large: a decimal number goes up to 1\.79e308/
const nearZero = /too small: it is not 0, but nearer to 0 than 2\.23e-308/

describe('the size of a whole number', () => {
  it('is at most 1,000 digits, to the digit', () => {
    expect(answer('10**999')).toHaveLength(1000)
    expect(answer('10**1000')).toMatch(tooManyDigits)
    expect(answer('10**999 * 10')).toMatch(tooManyDigits)
    expect(answer('10**999 * 9')).toHaveLength(1000)
    expect(answer('(10**999 - 1) * 10 + 9')).toBe('9'.repeat(1000))
    expect(answer('(10**999 - 1) * 10 + 10')).toMatch(tooManyDigits)
    expect(answer('-(10**999 - 1) * 10 - 10')).toMatch(tooManyDigits)
    expect(answer('2**3321')).toHaveLength(1000)
    expect(answer('2**3322')).toMatch(tooManyDigits)
    expect(answer('(-2)**3321')).toHaveLength(1001)
    expect(answer('9'.repeat(1000))).toBe('9'.repeat(1000))
    expect(answer(`0x${'F'.repeat(998)}`)).toMatch(tooManyDigits)
  })

  it('holds in towers, products and rounding', () => {
    expect(answer('2**10000')).toMatch(tooManyDigits)
    expect(answer('15**300000000')).toMatch(tooManyDigits)
    expect(answer('9**9**9')).toMatch(tooManyDigits)
    expect(answer('2**9**9**9**9')).toMatch(tooManyDigits)
    expect(answer('(10**999)**1000')).toMatch(tooManyDigits)
    expect(answer('(10**999)**(10**999)')).toMatch(tooManyDigits)
    expect(answer('10**600 * 10**600')).toMatch(tooManyDigits)
    expect(answer(`round(${'9'.repeat(901)} * 10**99, -999)`)).toMatch(tooManyDigits)
  })
})

describe('the size of a decimal', () => {
  it('ends where doubles end', () => {
    expect(answer('1e308')).toBe('1e308')
    expect(answer('1e309')).toMatch(beyondDecimals)
    expect(answer('1e308*10')).toMatch(beyondDecimals)
    expect(answer('1e308+1e308')).toMatch(beyondDecimals)
    expect(answer('-1e308-1e308')).toMatch(beyondDecimals)
    expect(answer('1e308//1e-307')).toMatch(beyondDecimals)
    expect(answer('10.0**309')).toMatch(beyondDecimals)
    expect(answer('10**400/3')).toMatch(beyondDecimals)
    expect(answer('sqrt(10**900)')).toMatch(beyondDecimals)
    expect(answer('round(1.7e308, -308)')).toMatch(beyondDecimals)
  })

  it('ends where doubles lose their digits', () => {
    expect(answer('2.3e-308')).toBe('2.3e-308')
    expect(answer('2.2e-308')).toMatch(nearZero)
    expect(answer('1e-400')).toMatch(nearZero)
    expect(answer('0e-400')).toBe('0')
    expect(answer('0.000')).toBe('0')
    expect(answer('1e-200*1e-110')).toMatch(nearZero)
    expect(answer('1e-300/1e10')).toMatch(nearZero)
    expect(answer('2.3e-308 - 2.25e-308')).toMatch(nearZero)
    expect(answer('1/10**310')).toMatch(nearZero)
    expect(answer('1e-300*1e-300')).toMatch(nearZero)
    expect(answer('1e-300/1e300')).toMatch(nearZero)
    expect(answer('1e-200**2')).toMatch(nearZero)
    expect(answer('10**-400')).toMatch(nearZero)
    expect(answer('10**-999')).toMatch(nearZero)
    expect(answer('10**-(10**999)')).toMatch(nearZero)
    expect(answer('3/10**400')).toMatch(nearZero)
    expect(answer('0*1e-300')).toBe('0')
    expect(answer('0/10**400')).toBe('0')
    expect(answer('0.0**400')).toBe('0')
  })
})

describe('the size of an expression', () => {
  it('is at most 1,000 characters', () => {
    expect(answer(`${' '.repeat(999)}1`)).toBe('1')
    expect(answer(`${' '.repeat(1000)}1`)).toMatch(
      /too long: it has 1001 characters, and at most 1000 are read/,
    )
  })

  it('is at most 500 nodes', () => {
    expect(answer(`${'1+'.repeat(249)}1`)).toBe('250')
    expect(answer(`${'1+'.repeat(250)}1`)).toMatch(/more than 500 numbers, operators and calls/)
    expect(answer(`-${'1+'.repeat(249)}1`)).toBe('248')
    expect(answer(`--${'1+'.repeat(249)}1`)).toMatch(/more than 500/)
  })

  it('is at most 100 levels deep', () => {
    expect(answer(`${'('.repeat(99)}1${')'.repeat(99)}`)).toBe('1')
    expect(answer(`${'('.repeat(100)}1${')'.repeat(100)}`)).toMatch(
      /at character 101 .*nested more than 100 deep/,
    )
    expect(answer(`${'-'.repeat(99)}1`)).toBe('-1')
    expect(answer(`${'-'.repeat(100)}1`)).toMatch(/nested more than 100 deep/)
    expect(answer(`${'1**'.repeat(99)}1`)).toBe('1')
    expect(answer(`${'1**'.repeat(100)}1`)).toMatch(/nested more than 100 deep/)
    expect(answer(`${'abs('.repeat(100)}1${')'.repeat(100)}`)).toMatch(/nested more than 100 deep/)
    expect(answer(`1 + ${'(1) + '.repeat(120)}1`)).toBe('122')
  })

  it.each([
    ['opening brackets', '('.repeat(1000)],
    ['closing brackets', ')'.repeat(1000)],
    ['minus signs', `${'-'.repeat(999)}1`],
    ['a tower of twos', fill('2**', '1')],
    ['a tower of nines', fill('9**', '9')],
    ['calls', fill('sqrt(')],
    ['a long sum', fill('1+', '1')],
    ['large products', fill('9**999*0+', '1')],
    ['large quotients', fill('9**999/7**999+', '1')],
    ['large divisors', `(${'9'.repeat(600)})${'//7'.repeat(130)}`],
    ['small decimals rounded', fill('round(1e-300,999)+', '1')],
    ['large decimals rounded', fill('round(9e307,-999)+', '1')],
    ['logarithms', fill('log(9**999,9)+', '1')],
    ['square roots', fill('sqrt(9**600)+', '1')],
    ['remainders', fill('9**999%7**99+', '1')],
    ['decimal remainders', fill('1.5%1e-307+', '1')],
    ['digits', '9'.repeat(1000)],
    ['digits behind a point', `.${'9'.repeat(999)}`],
    ['digits and underscores', fill('1_', '1')],
    ['points', '.'.repeat(1000)],
    ['exponents', fill('1e')],
    ['letters', 'a'.repeat(1000)],
    ['emoji', '\u{1F600}'.repeat(500)],
    ['spaces', ' '.repeat(1000)],
    ['commas', fill('1,')],
  ])('keeps the answer quick for %s', (_name, expression) => {
    const start = performance.now()
    expect(answer(expression)).not.toBe('')
    // A hang guard, forty times the promise of 50 ms.
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
