/** One literal input of a real-world case, and the text or the error sentence (English) that it must give. */
export interface CalculatorCase {
  readonly id: string
  readonly input: string
  readonly expected: { readonly value: string } | { readonly error: RegExp }
}

const tooManyDigits = /too large: a whole number may have at most 1000 digits/

/** All literal inputs of the calculator cases H01 to H11. */
export const hCases: readonly CalculatorCase[] = [
  { id: 'H01', input: '9**9**9', expected: { error: tooManyDigits } },
  { id: 'H01', input: '9**9**9**9', expected: { error: tooManyDigits } },
  { id: 'H01', input: '10^10^10', expected: { error: /"\^" at character 3 .*Write \*\* instead/ } },

  { id: 'H03', input: 'factorial(999999)', expected: { error: /Unknown name "factorial" at character 1\b/ } },
  { id: 'H03', input: 'pow(9, 999999)', expected: { error: /Unknown name "pow" .*Write a \*\* b instead/ } },
  { id: 'H03', input: '1 << 99999999', expected: { error: /"<" at character 3 is not allowed/ } },
  { id: 'H03', input: '(10**1000)**1000', expected: { error: tooManyDigits } },
  { id: 'H03', input: 'comb(100000, 50000)', expected: { error: /Unknown name "comb" at character 1\b/ } },

  { id: 'H05', input: 'constructor', expected: { error: /Unknown name "constructor" at character 1\b/ } },
  { id: 'H05', input: '__proto__', expected: { error: /Unknown name "__proto__" at character 1\b/ } },
  { id: 'H05', input: 'toString', expected: { error: /Unknown name "toString" at character 1\b/ } },
  {
    id: 'H05',
    input: 'hasOwnProperty',
    expected: { error: /Unknown name "hasOwnProperty" at character 1\b/ },
  },
  { id: 'H05', input: 'valueOf', expected: { error: /Unknown name "valueOf" at character 1\b/ } },
  {
    id: 'H05',
    input: 'Object=constructor; Object.assign(__proto__, 1)',
    expected: { error: /Unknown name "Object" at character 1\b/ },
  },

  {
    id: 'H06',
    input: 'cos.constructor("return 1")()',
    expected: { error: /"\." at character 4 is not allowed/ },
  },
  {
    id: 'H06',
    input: "({})['__proto__']['__defineGetter__']('x',1)",
    expected: { error: /"\{" at character 2 is not allowed/ },
  },
  { id: 'H06', input: '[].map.constructor', expected: { error: /"\[" at character 1 is not allowed/ } },
  { id: 'H06', input: '"a".sub', expected: { error: /quotation mark at character 1 is not allowed/ } },

  { id: 'H08', input: '1;1', expected: { error: /";" at character 2 .*one call computes one expression/ } },
  { id: 'H08', input: '1,2', expected: { error: /comma at character 2 .*Write a decimal number as 1\.2/ } },
  { id: 'H08', input: '0x10', expected: { value: '16' } },
  { id: 'H08', input: '1_000', expected: { value: '1000' } },
  { id: 'H08', input: '1e3', expected: { value: '1000' } },
  { id: 'H08', input: '.5', expected: { value: '0.5' } },
  { id: 'H08', input: '5.', expected: { value: '5' } },
  { id: 'H08', input: '010', expected: { value: '10' } },
  { id: 'H08', input: '1/*x*/+1', expected: { error: /missing before "\*" at character 3\b/ } },
  { id: 'H08', input: '--1', expected: { value: '1' } },
  { id: 'H08', input: '1 2', expected: { error: /operator is missing before "2" at character 3\b/ } },

  { id: 'H10', input: '0.1+0.2', expected: { value: '0.3' } },
  { id: 'H10', input: '1.005*100', expected: { value: '100.5' } },
  { id: 'H10', input: '9007199254740993', expected: { value: '9007199254740993' } },
  { id: 'H10', input: '1e21', expected: { value: '1e21' } },
  { id: 'H10', input: '1/3', expected: { value: '0.333333333333333' } },
  { id: 'H10', input: '-0', expected: { value: '0' } },
  { id: 'H10', input: '1/0', expected: { error: /^Division by zero.*character 2\b/ } },
  { id: 'H10', input: '0/0', expected: { error: /^Division by zero.*character 2\b/ } },
  { id: 'H10', input: '(-8)^(1/3)', expected: { error: /"\^" at character 5 .*Write \*\* instead/ } },
  { id: 'H10', input: '-5 % 3', expected: { value: '1' } },
  { id: 'H10', input: '2^0.5', expected: { error: /"\^" at character 2 .*Write \*\* instead/ } },

  { id: 'H11', input: '2(3+4)', expected: { error: /write \* between them: "2 \* \("/ } },
  { id: 'H11', input: '(1+1)(2)', expected: { error: /write \* between them: "\) \* \("/ } },
  { id: 'H11', input: '2 2', expected: { error: /write \* between them: "2 \* 2"/ } },
  { id: 'H11', input: '-2 2', expected: { error: /write \* between them: "2 \* 2"/ } },
  { id: 'H11', input: '1/2x', expected: { error: /write \* between them: "2 \* x"/ } },
  { id: 'H11', input: '2pi', expected: { error: /write \* between them: "2 \* pi"/ } },
  { id: 'H11', input: '3sin(0)', expected: { error: /write \* between them: "3 \* sin"/ } },
]
