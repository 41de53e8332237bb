import { computeDecimals, toDecimal } from './decimal-arithmetic.ts'
import { type Failure, isFailure } from './failure.ts'
import { callFunction } from './functions.ts'
import { computeIntegers } from './integer-arithmetic.ts'
import type { BinaryExpression, CallExpression, Expression } from './parse-expression.ts'

function evaluateBinary({ operator, left, right, offset }: BinaryExpression): number | bigint | Failure {
  const first = evaluate(left)
  if (isFailure(first)) return first
  const second = evaluate(right)
  if (isFailure(second)) return second
  const place = { found: operator, offset }
  if (typeof first === 'bigint' && typeof second === 'bigint') return computeIntegers([first, second], place)
  const firstDecimal = toDecimal(first, place)
  if (isFailure(firstDecimal)) return firstDecimal
  const secondDecimal = toDecimal(second, place)
  if (isFailure(secondDecimal)) return secondDecimal
  return computeDecimals([firstDecimal, secondDecimal], place)
}

function evaluateCall(call: CallExpression): number | bigint | Failure {
  const [first, second] = call.arguments
  const value = evaluate(first)
  if (isFailure(value)) return value
  if (second === undefined) return callFunction(call, [value])
  const secondValue = evaluate(second)
  return isFailure(secondValue) ? secondValue : callFunction(call, [value, secondValue])
}

/**
 * Computes a syntax tree. Whole numbers are bigints and exact; decimals are doubles; an operation on
 * one of each is done on doubles and fails when the whole number has more digits than a double holds.
 *
 * Every result is bounded: see {@link computeIntegers} and {@link computeDecimals} for what fails.
 */
export function evaluate(tree: Expression): number | bigint | Failure {
  switch (tree.kind) {
    case 'number':
      return tree.value
    case 'sign': {
      const value = evaluate(tree.operand)
      return isFailure(value) || tree.operator === '+' ? value : -value
    }
    case 'binary':
      return evaluateBinary(tree)
    case 'call':
      return evaluateCall(tree)
  }
}
