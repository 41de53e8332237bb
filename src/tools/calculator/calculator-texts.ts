import type { ProblemCode } from './failure.ts'

/** What a sentence about a problem is made of. */
export interface CalculatorProblem {
  /** The character of the expression, counted from 1. */
  readonly position: number
  /** The wrong part of the expression, an operator or a function name; cut to 24 characters. */
  readonly found: string
  /** What to write in its place; empty for problems that have one answer, which the sentence says itself. */
  readonly instead: string
  /** The limit that was passed, for problems that have one: a number of characters, nodes or digits. */
  readonly limit: string
}

/** Every sentence of the calculator: two for the tool's definition, and one for each problem. */
export type CalculatorTexts = {
  readonly toolDescription: string
  readonly expressionDescription: string
} & { readonly [Code in ProblemCode]: (problem: CalculatorProblem) => string }

/** The calculator's sentences in English. */
export const calculatorTextsEn: CalculatorTexts = {
  toolDescription:
    'Compute an arithmetic expression. Operators: + - * / // (quotient rounded down) % (remainder, sign of the divisor) ** (power). Functions: sqrt(x), abs(x), round(x), round(x, digits), log(x), log(x, base), sin(x), cos(x), angles in radians. Constants: pi, e. Whole numbers are exact; decimals are shown with 15 digits.',
  expressionDescription: 'the expression, such as 2 * (3 + 4) ** 2; at most 1,000 characters',
  empty: () => 'The expression is empty. Write one, such as 2 * (3 + 4).',
  tooLong: ({ found, limit }) =>
    `The expression is too long: it has ${found} characters, and at most ${limit} are read. Split it into several calculations.`,
  tooManyParts: ({ position, limit }) =>
    `The expression is too complex: at character ${position} it has more than ${limit} numbers, operators and calls. Split it into several calculations.`,
  nestedTooDeeply: ({ position, limit }) =>
    `The expression is too complex: at character ${position} brackets, signs and powers are nested more than ${limit} deep. Compute the inner part first, in a call of its own.`,
  unexpectedCharacter: ({ found, position }) =>
    `"${found}" at character ${position} is not allowed. Write only numbers, + - * / // % **, round brackets, sqrt, abs, round, log, sin, cos, pi and e.`,
  writeInstead: ({ found, position, instead }) =>
    `"${found}" at character ${position} is not allowed. Write ${instead} instead.`,
  quotedText: ({ position }) =>
    `The quotation mark at character ${position} is not allowed. Write numbers and names without quotation marks.`,
  assignment: ({ position }) =>
    `"=" at character ${position} is not allowed: there are no variables, comparisons or named arguments. Write only the expression to compute.`,
  severalExpressions: ({ position }) =>
    `";" at character ${position} is not allowed: one call computes one expression. Write the other one in a call of its own.`,
  strayComma: ({ position }) =>
    `The comma at character ${position} is not between the arguments of a function. Write a decimal number as 1.2 and a large one as 1000 or 1_000.`,
  badNumber: ({ found, position }) =>
    `"${found}" at character ${position} is not a number. Write it like 12, 1_000, 1.5, 1e3 or 0x1F.`,
  valueExpected: ({ found, position }) =>
    `A number is missing before "${found}" at character ${position}. Write a number, a name or a bracket there, or remove "${found}".`,
  percentSign: ({ position }) =>
    `A number is missing after "%" at character ${position}. % is the remainder of a division, as in 7 % 3; for per cent write / 100, as in 20 / 100.`,
  valueExpectedAtEnd: ({ position }) =>
    `A number is missing at the end of the expression, at character ${position}. Write a number, a name or a bracket there, or remove what stands before it.`,
  bracketNotClosed: ({ position }) =>
    `The "(" at character ${position} is not closed. Write the missing ")".`,
  bracketNotOpened: ({ position }) =>
    `The ")" at character ${position} has no "(" before it. Remove it, or write the missing "(".`,
  implicitMultiplication: ({ found, position, instead }) =>
    `An operator is missing before "${found}" at character ${position}. To multiply, write * between them: "${instead}".`,
  unknownName: ({ found, position, instead }) =>
    `Unknown name "${found}" at character ${position}. Write one of ${instead}, or a number.`,
  unknownNameInstead: ({ found, position, instead }) =>
    `Unknown name "${found}" at character ${position}. Write ${instead} instead.`,
  functionNotCalled: ({ found, position, instead }) =>
    `"${found}" at character ${position} is a function and needs brackets. Write ${instead}.`,
  argumentCount: ({ found, position, instead }) =>
    `"${found}" at character ${position} has too few or too many arguments. Write ${instead}.`,
  integerTooLarge: ({ found, position, limit }) =>
    `"${found}" at character ${position} gives a number that is too large: a whole number may have at most ${limit} digits. Use smaller numbers.`,
  decimalTooLarge: ({ found, position, limit }) =>
    `"${found}" at character ${position} gives a number that is too large: a decimal number goes up to ${limit}. Use smaller numbers, or only whole numbers with + - * // % **, which may have 1000 digits.`,
  decimalTooSmall: ({ found, position, limit }) =>
    `"${found}" at character ${position} gives a number that is too small: it is not 0, but nearer to 0 than ${limit}. Use larger numbers, or scale them up first.`,
  digitsLost: ({ found, position }) =>
    `"${found}" at character ${position} mixes a decimal number and a whole number with too many digits for a decimal, so digits would be lost. Use only whole numbers, or divide the large one by 1 first to go on with 15 of its digits.`,
  divisionByZero: ({ found, position }) =>
    `Division by zero: the number after "${found}" at character ${position} is 0. Use a divisor that is not 0.`,
  zeroToNegativePower: ({ position }) =>
    `Division by zero: 0 has no negative power ("**" at character ${position}). Use a base that is not 0, or a power of 0 or above.`,
  fractionalPowerOfNegative: ({ position }) =>
    `A negative number to a fractional power is not a real number ("**" at character ${position}). Use a whole power or a positive base; for an odd root write the sign in front: -(8 ** (1/3)).`,
  squareRootOfNegative: ({ position }) =>
    `The square root of a negative number is not a real number ("sqrt" at character ${position}). Use a number of 0 or above.`,
  logarithmArgument: ({ position }) =>
    `Only a number above 0 has a logarithm ("log" at character ${position}). Use a number above 0.`,
  logarithmBase: ({ position }) =>
    `The base of a logarithm is a number above 0 other than 1 ("log" at character ${position}). Use such a base, as in log(8, 2).`,
  angleTooLarge: ({ found, position, limit }) =>
    `The angle of "${found}" at character ${position} is too large: at most ${limit} radians are allowed, with either sign. Use a smaller angle.`,
  roundDigits: ({ position, limit }) =>
    `The digits of "round" at character ${position} are not a whole number from -${limit} to ${limit}. Write such a number, as in round(2.567, 2).`,
}

/** The calculator's sentences in Chinese. */
export const calculatorTextsZh: CalculatorTexts = {
  toolDescription:
    '计算算术表达式。运算符：+ - * /、//（商向下取整）、%（余数，符号与除数相同）、**（乘方）。函数：sqrt(x)、abs(x)、round(x)、round(x, 小数位数)、log(x)、log(x, 底数)、sin(x)、cos(x)，角度用弧度。常量：pi、e。整数精确；小数显示 15 位有效数字。',
  expressionDescription: '要计算的表达式，例如 2 * (3 + 4) ** 2；最多 1000 个字符',
  empty: () => '表达式为空。请写出一个表达式，例如 2 * (3 + 4)。',
  tooLong: ({ found, limit }) => `表达式太长：共 ${found} 个字符，最多允许 ${limit} 个。请拆成几次计算。`,
  tooManyParts: ({ position, limit }) =>
    `表达式太复杂：到第 ${position} 个字符时，数字、运算符和函数调用已超过 ${limit} 个。请拆成几次计算。`,
  nestedTooDeeply: ({ position, limit }) =>
    `表达式太复杂：第 ${position} 个字符处，括号、正负号和乘方的嵌套超过 ${limit} 层。请先单独计算内层部分。`,
  unexpectedCharacter: ({ found, position }) =>
    `第 ${position} 个字符“${found}”不允许使用。请只写数字、+ - * / // % **、圆括号，以及 sqrt、abs、round、log、sin、cos、pi 和 e。`,
  writeInstead: ({ found, position, instead }) =>
    `第 ${position} 个字符“${found}”不允许使用。请改写为 ${instead}。`,
  quotedText: ({ position }) => `第 ${position} 个字符处的引号不允许使用。数字和名称请不要加引号。`,
  assignment: ({ position }) =>
    `第 ${position} 个字符“=”不允许使用：不支持变量、比较和命名参数。请只写要计算的表达式。`,
  severalExpressions: ({ position }) =>
    `第 ${position} 个字符“;”不允许使用：一次只能计算一个表达式。请把另一个表达式放到另一次调用中。`,
  strayComma: ({ position }) =>
    `第 ${position} 个字符处的逗号不在函数的参数之间。小数请写成 1.2，大数请写成 1000 或 1_000。`,
  badNumber: ({ found, position }) =>
    `第 ${position} 个字符处的“${found}”不是数字。请写成 12、1_000、1.5、1e3 或 0x1F 这样的形式。`,
  valueExpected: ({ found, position }) =>
    `第 ${position} 个字符“${found}”之前缺少数字。请在那里补上数字、名称或括号，或者删去“${found}”。`,
  percentSign: ({ position }) =>
    `第 ${position} 个字符“%”之后缺少数字。% 表示求余数，例如 7 % 3；百分数请写成 / 100，例如 20 / 100。`,
  valueExpectedAtEnd: ({ position }) =>
    `表达式末尾（第 ${position} 个字符处）缺少数字。请在那里补上数字、名称或括号，或者删去它前面的符号。`,
  bracketNotClosed: ({ position }) => `第 ${position} 个字符处的“(”没有闭合。请补上缺少的“)”。`,
  bracketNotOpened: ({ position }) =>
    `第 ${position} 个字符处的“)”前面没有对应的“(”。请删去它，或者补上缺少的“(”。`,
  implicitMultiplication: ({ found, position, instead }) =>
    `第 ${position} 个字符处的“${found}”之前缺少运算符。相乘请在中间写 *：“${instead}”。`,
  unknownName: ({ found, position, instead }) =>
    `第 ${position} 个字符处的名称“${found}”未知。请使用 ${instead} 之一，或者写数字。`,
  unknownNameInstead: ({ found, position, instead }) =>
    `第 ${position} 个字符处的名称“${found}”未知。请改写为 ${instead}。`,
  functionNotCalled: ({ found, position, instead }) =>
    `第 ${position} 个字符处的“${found}”是函数，需要加括号。请写成 ${instead}。`,
  argumentCount: ({ found, position, instead }) =>
    `第 ${position} 个字符处的“${found}”参数太少或太多。请写成 ${instead}。`,
  integerTooLarge: ({ found, position, limit }) =>
    `第 ${position} 个字符处的“${found}”得到的数太大：整数最多 ${limit} 位。请使用较小的数。`,
  decimalTooLarge: ({ found, position, limit }) =>
    `第 ${position} 个字符处的“${found}”得到的数太大：小数最大到 ${limit}。请使用较小的数，或者只用整数和 + - * // % **，整数可以有 1000 位。`,
  decimalTooSmall: ({ found, position, limit }) =>
    `第 ${position} 个字符处的“${found}”得到的数太小：它不是 0，但比 ${limit} 更接近 0。请使用较大的数，或者先放大若干倍。`,
  digitsLost: ({ found, position }) =>
    `第 ${position} 个字符处的“${found}”把小数和一个位数过多的整数放在一起运算，会丢失数字。请只使用整数；若保留 15 位有效数字就够，请先把这个大整数除以 1。`,
  divisionByZero: ({ found, position }) =>
    `除数为零：第 ${position} 个字符处的“${found}”后面的数是 0。请使用不为 0 的除数。`,
  zeroToNegativePower: ({ position }) =>
    `除数为零：0 没有负数次方（第 ${position} 个字符处的“**”）。请使用不为 0 的底数，或者不小于 0 的指数。`,
  fractionalPowerOfNegative: ({ position }) =>
    `负数的非整数次方不是实数（第 ${position} 个字符处的“**”）。请使用整数指数或正的底数；开奇次方时请把负号写在外面：-(8 ** (1/3))。`,
  squareRootOfNegative: ({ position }) =>
    `负数的平方根不是实数（第 ${position} 个字符处的“sqrt”）。请使用不小于 0 的数。`,
  logarithmArgument: ({ position }) =>
    `只有大于 0 的数才有对数（第 ${position} 个字符处的“log”）。请使用大于 0 的数。`,
  logarithmBase: ({ position }) =>
    `对数的底数必须大于 0 且不等于 1（第 ${position} 个字符处的“log”）。请换用这样的底数，例如 log(8, 2)。`,
  angleTooLarge: ({ found, position, limit }) =>
    `第 ${position} 个字符处“${found}”的角度太大：绝对值最多 ${limit} 弧度。请使用较小的角度。`,
  roundDigits: ({ position, limit }) =>
    `第 ${position} 个字符处的“round”的位数不是 -${limit} 到 ${limit} 之间的整数。请写这样的整数，例如 round(2.567, 2)。`,
}
