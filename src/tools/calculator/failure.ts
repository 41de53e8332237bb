/** Every reason why an expression has no result; each has one sentence in `CalculatorTexts`. */
export type ProblemCode =
  | 'empty'
  | 'tooLong'
  | 'tooManyParts'
  | 'nestedTooDeeply'
  | 'unexpectedCharacter'
  | 'writeInstead'
  | 'quotedText'
  | 'assignment'
  | 'severalExpressions'
  | 'strayComma'
  | 'badNumber'
  | 'valueExpected'
  | 'percentSign'
  | 'valueExpectedAtEnd'
  | 'bracketNotClosed'
  | 'bracketNotOpened'
  | 'implicitMultiplication'
  | 'unknownName'
  | 'unknownNameInstead'
  | 'functionNotCalled'
  | 'argumentCount'
  | 'integerTooLarge'
  | 'decimalTooLarge'
  | 'decimalTooSmall'
  | 'digitsLost'
  | 'divisionByZero'
  | 'zeroToNegativePower'
  | 'fractionalPowerOfNegative'
  | 'squareRootOfNegative'
  | 'logarithmArgument'
  | 'logarithmBase'
  | 'angleTooLarge'
  | 'roundDigits'

/** A problem as data: no sentence yet, so that it can be told in any language. */
export interface Failure {
  readonly problem: ProblemCode
  /** Where it is: an index into the expression, in UTF-16 units. */
  readonly offset: number
  /** The part of the expression that is wrong, at most 24 characters and an ellipsis. */
  readonly found: string
  /** What to write in its place; empty when the sentence itself says it. */
  readonly instead: string
  /** The limit that was passed; empty when the problem is not a limit. */
  readonly limit: string
}

/** Where something happens: an index in UTF-16 units and the operator, function or number found there. */
export interface Place {
  readonly offset: number
  readonly found: string
}

/** What {@link failure} needs; what is left out becomes an empty text. */
export interface FailureOptions {
  readonly problem: ProblemCode
  readonly offset: number
  readonly found?: string
  readonly instead?: string
  readonly limit?: number | string
}

/** Cuts a piece of the expression to 24 characters and an ellipsis, so that a sentence stays short. */
export function excerpt(text: string): string {
  const characters = [...text]
  return characters.length > 24 ? `${characters.slice(0, 24).join('')}…` : text
}

/** Makes a {@link Failure}. */
export function failure(options: FailureOptions): Failure {
  const { problem, offset, found = '', instead = '', limit = '' } = options
  return { problem, offset, found: excerpt(found), instead, limit: String(limit) }
}

/** Tells a {@link Failure} from a result: a number, a bigint or a syntax tree. */
export function isFailure(result: number | bigint | object): result is Failure {
  return typeof result === 'object' && 'problem' in result
}
