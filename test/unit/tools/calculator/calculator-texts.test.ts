import { describe, expect, it } from 'vitest'
import { calculate } from '../../../../src/tools/calculator/calculate.ts'
import {
  type CalculatorTexts,
  calculatorTextsEn,
  calculatorTextsZh,
} from '../../../../src/tools/calculator/calculator-texts.ts'
import type { ProblemCode } from '../../../../src/tools/calculator/failure.ts'

/** One expression for every problem there is. */
const expressionOf: Readonly<Record<ProblemCode, string>> = {
  empty: '',
  tooLong: '1'.repeat(1001),
  tooManyParts: `${'1+'.repeat(400)}1`,
  nestedTooDeeply: '('.repeat(200),
  unexpectedCharacter: '1 $ 2',
  writeInstead: '2^3',
  quotedText: '"1"',
  assignment: '1=1',
  severalExpressions: '1;1',
  strayComma: '1,2',
  badNumber: '1.2.3',
  valueExpected: '1+*2',
  percentSign: '20%',
  valueExpectedAtEnd: '1+',
  bracketNotClosed: '(1',
  bracketNotOpened: '1)',
  implicitMultiplication: '2pi',
  unknownName: 'constructor',
  unknownNameInstead: 'pow(2, 3)',
  functionNotCalled: 'sin',
  argumentCount: 'sin()',
  integerTooLarge: '9**9**9',
  decimalTooLarge: '1e308*10',
  decimalTooSmall: '1e-300/1e10',
  digitsLost: '9007199254740993+0.5',
  divisionByZero: '1/0',
  zeroToNegativePower: '0**-1',
  fractionalPowerOfNegative: '(-8)**0.5',
  squareRootOfNegative: 'sqrt(-1)',
  logarithmArgument: 'log(0)',
  logarithmBase: 'log(8, 1)',
  angleTooLarge: 'sin(1e300)',
  roundDigits: 'round(1, 0.5)',
}

const codes = Object.keys(expressionOf) as ProblemCode[]

/** Texts in which each problem is told by its code alone. */
const codeTexts = Object.fromEntries(codes.map((code) => [code, () => code])) as unknown as CalculatorTexts

function errorOf(expression: string, texts: CalculatorTexts): string {
  const result = calculate(expression, texts)
  return 'error' in result ? result.error : `no error: ${result.text}`
}

/** Problems of the whole expression, which have no place in it. */
const placeless: readonly ProblemCode[] = ['empty', 'tooLong']

describe.each([
  ['English', calculatorTextsEn],
  ['Chinese', calculatorTextsZh],
])('the %s texts', (_language, texts) => {
  it.each(codes)('have a sentence for %s, with its place and what to write', (code) => {
    expect(errorOf(expressionOf[code], codeTexts)).toBe(code)
    const sentence = errorOf(expressionOf[code], texts)
    expect(sentence).not.toMatch(/undefined|NaN|\[object|\$\{|""|“”/)
    expect(sentence.length).toBeGreaterThan(15)
    if (!placeless.includes(code)) expect(sentence).toMatch(/character \d+|第 \d+ 个字符/)
    expect(sentence).toMatch(/[Ww]rite|Use |Remove|Split|Compute|请/)
  })

  it('describe the tool and its parameter', () => {
    expect(texts.toolDescription).toContain('round(x')
    expect(texts.expressionDescription).not.toBe('')
  })
})

describe('the two languages', () => {
  it('have the same sentences, and the Chinese ones are Chinese', () => {
    expect(Object.keys(calculatorTextsZh).sort()).toEqual(Object.keys(calculatorTextsEn).sort())
    expect(Object.keys(calculatorTextsEn).sort()).toEqual(
      [...codes, 'toolDescription', 'expressionDescription'].sort(),
    )
    for (const code of codes)
      expect(errorOf(expressionOf[code], calculatorTextsZh)).toMatch(/[\u4e00-\u9fff]/)
  })

  it('name the same characters and limits', () => {
    for (const code of codes) {
      const numbers = (texts: CalculatorTexts): string[] =>
        (errorOf(expressionOf[code], texts).match(/\d+/g) ?? []).sort()
      expect(numbers(calculatorTextsZh), code).toEqual(numbers(calculatorTextsEn))
    }
  })
})
