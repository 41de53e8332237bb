import { describe, expect, it } from 'vitest'
import { calculate } from '../../../../src/tools/calculator/calculate.ts'
import { calculatorTextsEn } from '../../../../src/tools/calculator/calculator-texts.ts'
import { hCases } from './h-cases.ts'

function textOf(expression: string): string {
  const result = calculate(expression, calculatorTextsEn)
  return 'error' in result ? `error: ${result.error}` : result.text
}

function resultOf(expression: string): number | bigint | string {
  const result = calculate(expression, calculatorTextsEn)
  return 'error' in result ? `error: ${result.error}` : result.value
}

function errorOf(expression: string): string {
  const result = calculate(expression, calculatorTextsEn)
  return 'error' in result ? result.error : `no error: ${result.text}`
}

/** Values that Python 3 gives for the same text, ints as bigints. */
const pythonValues: readonly [expression: string, value: number | bigint][] = [
  ['7//-2', -4n],
  ['-7//2', -4n],
  ['-7%3', 2n],
  ['7%-2', -1n],
  ['-5 % 3', 1n],
  ['-2**2', -4n],
  ['(-2)**2', 4n],
  ['2**-1', 0.5],
  ['2**3**2', 512n],
  ['2**-2**2', 0.0625],
  ['2 - 3 - 4', -5n],
  ['100 // 7 // 2 * 3 % 5', 1n],
  ['-3 % 5 * 2', 4n],
  ['+-+2', -2n],
  ['0**0', 1n],
  ['(-1)**3', -1n],
  ['(-1)**4', 1n],
  ['1**123456789012345678901234567890', 1n],
  ['0**123456789012345678901234567890', 0n],
  ['6/3', 2],
  ['10//3.0', 3],
  ['-7.5//2', -4],
  ['-7.5%2', 0.5],
  ['7.5%-2', -0.5],
  ['5.5//0.1', 54],
  ['2.0**3', 8],
  ['(-8.0)**3', -512],
  ['1_000+1', 1001n],
  ['0x1F + 0o17 + 0b11', 49n],
  ['round(2.5)', 2n],
  ['round(3.5)', 4n],
  ['round(-2.5)', -2n],
  ['round(0.5)', 0n],
  ['round(7)', 7n],
  ['round(2.567,2)', 2.57],
  ['round(2.675, 2)', 2.67],
  ['round(0.125, 2)', 0.12],
  ['round(0.375, 2)', 0.38],
  ['round(1250, -2)', 1200n],
  ['round(1350, -2)', 1400n],
  ['round(-1250, -2)', -1200n],
  ['round(1234.5, -2)', 1200],
  ['round(123, 2)', 123n],
  ['round(1.5, 1000)', 1.5],
  ['round(1.5, -1000)', 0],
  ['log(8,2)', 3],
  ['log(1)', 0],
  ['abs(-5)', 5n],
  ['abs(-5.5)', 5.5],
  ['sqrt(16)', 4],
  ['sqrt(2)', Math.SQRT2],
  ['sin(0)', 0],
  ['cos(0)', 1],
  ['pi', Math.PI],
  ['e', Math.E],
  ['(10**400+1)/10**399', 10],
  ['10**30/3', 3.333333333333333e29],
  ['9007199254740993 - 9007199254740992', 1n],
]

describe('calculate', () => {
  it.each(pythonValues)('gives %s the value that Python gives it', (expression, value) => {
    expect(resultOf(expression)).toBe(value)
  })

  it('keeps every digit of a whole number', () => {
    expect(textOf('10**400')).toBe(`1${'0'.repeat(400)}`)
    expect(textOf('123456789012345678901234567890 * 987654321098765432109876543210')).toBe(
      '121932631137021795226185032733622923332237463801111263526900',
    )
  })

  it.each(hCases)('$id: answers $input', ({ input, expected }) => {
    if ('value' in expected) expect(textOf(input)).toBe(expected.value)
    else expect(errorOf(input)).toMatch(expected.error)
  })

  it('leaves Object.prototype as it is', () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    for (const { input } of hCases) calculate(input, calculatorTextsEn)
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
  })

  it('finds the whole number that a logarithm is', () => {
    expect(resultOf('log(1000, 10)')).toBe(3)
    expect(resultOf('log(10**400, 10)')).toBe(400)
    expect(resultOf('log(1/8, 2)')).toBe(-3)
    expect(resultOf('log(0.001, 10) // 1')).toBe(-3)
    expect(textOf('log(10**15 + 1, 10)')).toBe('15')
    expect(textOf('log(10**400 + 10**391, 10.0)')).toBe('400.000000000434')
    expect(textOf('log(1001, 10)')).toBe('3.00043407747932')
  })

  it('takes roots and logarithms of whole numbers larger than any decimal', () => {
    expect(textOf('sqrt(10**400)')).toBe('1e200')
    expect(textOf('sqrt(2 * 10**400)')).toBe('1.4142135623731e200')
    expect(textOf('log(10**400)')).toBe('921.034037197618')
    expect(textOf('log(10**999) / log(10)')).toBe('999')
  })

  it('refuses to mix a decimal with a whole number that no decimal holds', () => {
    expect(resultOf('9007199254740992 + 0.5')).toBe(9007199254740992)
    expect(errorOf('9007199254740993 + 0.5')).toMatch(/^"\+" at character 18 mixes .*digits would be lost/)
    expect(errorOf('1.5 * 10**400')).toMatch(/^"\*" at character 5 mixes .*divide the large one by 1/)
    expect(textOf('1.5 * (9007199254740993 / 1)')).toBe('1.35107988821115e16')
  })

  it('keeps a rounded decimal beyond 2**53 a decimal, because its lower digits mean nothing', () => {
    expect(resultOf('round(1e300)')).toBe(1e300)
    expect(resultOf('round(9007199254740991.0)')).toBe(9007199254740991n)
  })

  it('has no negative zero', () => {
    for (const expression of ['-0', '-0.0', '0.0 * -1', '-1 % 1.0', 'round(-0.4, 0)', '-sin(0)']) {
      expect(resultOf(expression) === 0n || Object.is(resultOf(expression), 0), expression).toBe(true)
    }
  })

  it('counts the position of an error in characters, from 1', () => {
    expect(errorOf('1 + \u{1F600}')).toContain('"\u{1F600}" at character 5 ')
    expect(errorOf('\u{1F600}')).toContain('at character 1 ')
    expect(errorOf('1 +')).toContain('at character 4.')
    expect(errorOf('1/3 + 5 % (2 - 2)')).toContain('"%" at character 9 ')
  })

  it('shows an invisible character by its code', () => {
    expect(errorOf('1\u202e+1')).toContain('"U+202E" at character 2 ')
    expect(errorOf('1\ud800')).toContain('"U+D800" at character 2 ')
  })

  it('keeps a sentence short whatever the expression', () => {
    expect(errorOf('a'.repeat(1000)).length).toBeLessThan(200)
    expect(errorOf('1.1.'.repeat(250)).length).toBeLessThan(200)
    expect(errorOf(`${'9'.repeat(499)} ${'9'.repeat(500)}`).length).toBeLessThan(250)
  })
})

const errors: readonly [expression: string, sentence: RegExp][] = [
  ['', /^The expression is empty\. Write one/],
  [' \t\n ', /^The expression is empty/],
  ['1/0', /number after "\/" at character 2 is 0/],
  ['1//0', /number after "\/\/" at character 2 is 0/],
  ['1%0', /number after "%" at character 2 is 0/],
  ['1.5/0', /^Division by zero/],
  ['1.5//0.0', /^Division by zero/],
  ['1.5%-0.0', /^Division by zero/],
  ['0**-1', /^Division by zero: 0 has no negative power/],
  ['0.0**-1.5', /^Division by zero: 0 has no negative power/],
  ['(-8)**(1/3)', /not a real number \("\*\*" at character 5\).*-\(8 \*\* \(1\/3\)\)/],
  ['(-8)**0.5', /^A negative number to a fractional power/],
  ['sqrt(-1)', /square root of a negative number .*character 1\)/],
  ['sqrt(-0.5)', /square root of a negative number/],
  ['1+log(0)', /^Only a number above 0 has a logarithm \("log" at character 3\)/],
  ['log(-1.5)', /^Only a number above 0/],
  ['log(8, 1)', /base of a logarithm/],
  ['log(8, 1.0)', /base of a logarithm/],
  ['log(8, 0)', /base of a logarithm/],
  ['log(8, -2)', /base of a logarithm/],
  ['sin(2**54)', /angle of "sin" at character 1 is too large/],
  ['cos(-1e300)', /angle of "cos" at character 1 is too large/],
  ['round(1.5, 0.5)', /not a whole number from -1000 to 1000/],
  ['round(1.5, 1001)', /not a whole number from -1000 to 1000/],
  ['round(1.5, 10**400)', /not a whole number from -1000 to 1000/],
  ['True', /Unknown name "True" at character 1\. Write 1 instead/],
  ['True+1', /Unknown name "True"/],
  ['Infinity', /Unknown name "Infinity"/],
  ['NaN', /Unknown name "NaN"/],
  ['PI', /Write pi instead/],
  ['Sqrt(4)', /Write sqrt instead/],
  ['\u03c0', /Write pi instead/],
  ['sin', /"sin" at character 1 is a function and needs brackets\. Write sin\(x\)/],
  ['sin 4', /is a function and needs brackets/],
  ['sqrt()', /"sqrt" at character 1 has too few or too many arguments\. Write sqrt\(x\)/],
  ['sqrt(1, 2)', /too few or too many arguments/],
  ['round(1, 2, 3)', /Write round\(x\), round\(x, digits\)/],
  ['round(2.5, digits=2)', /Unknown name "digits" at character 12/],
  ['round(2.5=2)', /"=" at character 10 .*Write only the expression/],
  ['1 == 1', /"=" at character 3/],
  ['(1+2', /"\(" at character 1 is not closed/],
  ['sqrt(1', /"\(" at character 5 is not closed/],
  ['1+2)', /"\)" at character 4 has no "\("/],
  ['()', /missing before "\)" at character 2/],
  ['(1,2)', /comma at character 3/],
  ['1+', /missing at the end of the expression, at character 3/],
  ['*2', /missing before "\*" at character 1/],
  ['20%', /missing after "%" at character 3.*write \/ 100/],
  ['(15%) * 80', /missing after "%" at character 4.*write \/ 100/],
  ['2e', /write \* between them: "2 \* e"/],
  ['pi(2)', /write \* between them: "pi \* \("/],
  ['2\u00d73', /"\u00d7" at character 2 is not allowed\. Write \* instead/],
  ['3\u00b2', /Write \*\*2 instead/],
  ['4 \u2212 1', /Write - instead/],
  ['\uff081+2\uff09', /Write \( instead/],
  ['\uff11', /Write 1 instead/],
  ['\u221a4', /Write sqrt\(x\) instead/],
  ["'1'", /quotation mark at character 1/],
  ['5!', /"!" at character 2 is not allowed\. Write only numbers/],
  ['1.2.3', /"1\.2\.3" at character 1 is not a number/],
  ['1..2', /"1\.\.2" at character 1 is not a number/],
  ['1__0', /is not a number/],
  ['1_', /is not a number/],
  ['0x', /is not a number/],
  ['0xfg', /is not a number/],
  ['0b12', /is not a number/],
  ['.', /"\." at character 1 is not allowed/],
]

describe('the errors of calculate', () => {
  it.each(errors)('explain %j', (expression, sentence) => {
    expect(errorOf(expression)).toMatch(sentence)
  })

  it('report the first problem in reading order', () => {
    expect(errorOf('foo + $')).toContain('"foo"')
    expect(errorOf('1 + $ + foo')).toContain('"$"')
  })
})
