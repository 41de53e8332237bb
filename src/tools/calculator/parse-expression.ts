import { excerpt, type Failure, failure, isFailure } from './failure.ts'
import { maximumNesting, maximumNodes } from './limits.ts'
import { type Operator, type Token, tokenize } from './tokenize.ts'
import {
  constantValues,
  type FunctionName,
  type FunctionSignature,
  functionSignatures,
  knownNames,
  nameReplacement,
} from './vocabulary.ts'

/**
 * The syntax tree of an expression. There is no other kind of node: no member access, text, index,
 * assignment or comparison. `offset` is where the node's own token stands, in UTF-16 units.
 */
export type Expression =
  | { readonly kind: 'number'; readonly value: number | bigint; readonly offset: number }
  | {
      readonly kind: 'sign'
      readonly operator: '+' | '-'
      readonly operand: Expression
      readonly offset: number
    }
  | BinaryExpression
  | CallExpression

/** Two operands and the operator between them. */
export interface BinaryExpression {
  readonly kind: 'binary'
  readonly operator: Operator
  readonly left: Expression
  readonly right: Expression
  readonly offset: number
}

/** A call of a known function with a number of arguments that it takes. */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: FunctionName
  readonly arguments: readonly [Expression, ...Expression[]]
  readonly offset: number
}

interface Cursor {
  readonly tokens: readonly Token[]
  index: number
  nodes: number
  depth: number
}

// A sign binds tighter than `*` and looser than `**`: -2**2 is -(2**2), and 2**-1 is 2**(-1).
const signPrecedence = 3
const precedences: Readonly<Record<Operator, number>> = {
  '+': 1,
  '-': 1,
  '*': 2,
  '/': 2,
  '//': 2,
  '%': 2,
  '**': 4,
}

function peek(cursor: Cursor): Token {
  // The index never passes the last token, which is of kind `end`.
  return cursor.tokens[cursor.index] as Token
}

function addNode(cursor: Cursor, node: Expression): Expression | Failure {
  cursor.nodes += 1
  if (cursor.nodes <= maximumNodes) return node
  return failure({ problem: 'tooManyParts', offset: node.offset, limit: maximumNodes })
}

function failAfterValue(cursor: Cursor): Failure {
  const token = peek(cursor)
  if (token.kind === 'invalid') return token.failure
  if (token.kind === ')') return failure({ problem: 'bracketNotOpened', offset: token.offset })
  if (token.kind === ',') return failure({ problem: 'strayComma', offset: token.offset })
  const before = cursor.tokens[cursor.index - 1]?.text ?? ''
  const instead = `${excerpt(before)} * ${excerpt(token.text)}`
  return failure({ problem: 'implicitMultiplication', offset: token.offset, found: token.text, instead })
}

function failWithoutValue(cursor: Cursor): Failure {
  const token = peek(cursor)
  if (token.kind === 'invalid') return token.failure
  const before = cursor.tokens[cursor.index - 1]
  if (before?.text === '%') return failure({ problem: 'percentSign', offset: before.offset })
  if (token.kind === 'end') return failure({ problem: 'valueExpectedAtEnd', offset: token.offset })
  return failure({ problem: 'valueExpected', offset: token.offset, found: token.text })
}

function parseBracket(cursor: Cursor): Expression | Failure {
  const opening = peek(cursor)
  cursor.index += 1
  const inner = parseBinary(cursor, 0)
  if (isFailure(inner)) return inner
  const closing = peek(cursor)
  if (closing.kind === 'end') return failure({ problem: 'bracketNotClosed', offset: opening.offset })
  if (closing.kind !== ')') return failAfterValue(cursor)
  cursor.index += 1
  return inner
}

function parseArguments(cursor: Cursor): readonly Expression[] | Failure {
  const opening = peek(cursor)
  cursor.index += 1
  if (peek(cursor).kind === ')') {
    cursor.index += 1
    return []
  }
  const parsed: Expression[] = []
  for (;;) {
    const argument = parseBinary(cursor, 0)
    if (isFailure(argument)) return argument
    parsed.push(argument)
    const separator = peek(cursor)
    if (separator.kind === 'end') return failure({ problem: 'bracketNotClosed', offset: opening.offset })
    if (separator.kind !== ',' && separator.kind !== ')') return failAfterValue(cursor)
    cursor.index += 1
    if (separator.kind === ')') return parsed
  }
}

function parseCall(cursor: Cursor, signature: FunctionSignature, offset: number): Expression | Failure {
  const { name, usage } = signature
  const next = peek(cursor)
  if (next.kind === 'invalid') return next.failure
  if (next.kind !== '(') return failure({ problem: 'functionNotCalled', offset, found: name, instead: usage })
  const parsed = parseArguments(cursor)
  if (isFailure(parsed)) return parsed
  const [first, ...others] = parsed
  if (first === undefined || parsed.length > signature.maximumArguments) {
    return failure({ problem: 'argumentCount', offset, found: name, instead: usage })
  }
  return addNode(cursor, { kind: 'call', name, arguments: [first, ...others], offset })
}

function parseName(cursor: Cursor): Expression | Failure {
  const { text, offset } = peek(cursor)
  cursor.index += 1
  const value = constantValues.get(text)
  if (value !== undefined) return addNode(cursor, { kind: 'number', value, offset })
  const signature = functionSignatures.get(text)
  if (signature !== undefined) return parseCall(cursor, signature, offset)
  const instead = nameReplacement(text)
  if (instead === undefined)
    return failure({ problem: 'unknownName', offset, found: text, instead: knownNames })
  return failure({ problem: 'unknownNameInstead', offset, found: text, instead })
}

function parseOperand(cursor: Cursor): Expression | Failure {
  const token = peek(cursor)
  if (token.kind === '(') return parseBracket(cursor)
  if (token.kind === 'name') return parseName(cursor)
  if (token.kind === 'number') {
    cursor.index += 1
    return addNode(cursor, { kind: 'number', value: token.value, offset: token.offset })
  }
  if (token.kind === 'operator' && (token.text === '+' || token.text === '-')) {
    cursor.index += 1
    const operand = parseBinary(cursor, signPrecedence)
    if (isFailure(operand)) return operand
    return addNode(cursor, { kind: 'sign', operator: token.text, operand, offset: token.offset })
  }
  return failWithoutValue(cursor)
}

function parseChain(cursor: Cursor, minimumPrecedence: number): Expression | Failure {
  let left = parseOperand(cursor)
  while (!isFailure(left)) {
    const token = peek(cursor)
    if (token.kind !== 'operator') return left
    const operator = token.text
    const precedence = precedences[operator]
    if (precedence < minimumPrecedence) return left
    cursor.index += 1
    const right = parseBinary(cursor, operator === '**' ? signPrecedence : precedence + 1)
    if (isFailure(right)) return right
    left = addNode(cursor, { kind: 'binary', operator, left, right, offset: token.offset })
  }
  return left
}

// All recursion passes here, so that the depth of the call stack has one limit.
function parseBinary(cursor: Cursor, minimumPrecedence: number): Expression | Failure {
  if (cursor.depth >= maximumNesting) {
    return failure({ problem: 'nestedTooDeeply', offset: peek(cursor).offset, limit: maximumNesting })
  }
  cursor.depth += 1
  const parsed = parseChain(cursor, minimumPrecedence)
  cursor.depth -= 1
  return parsed
}

/**
 * Reads an expression into a syntax tree, with the precedence that Python gives its operators.
 *
 * Fails on anything outside the grammar, on unknown names, on a wrong number of arguments, and past
 * 500 nodes or 100 levels of nesting. The first problem in reading order is the one reported.
 */
export function parseExpression(expression: string): Expression | Failure {
  const cursor: Cursor = { tokens: tokenize(expression), index: 0, nodes: 0, depth: 0 }
  if (peek(cursor).kind === 'end') return failure({ problem: 'empty', offset: 0 })
  const parsed = parseBinary(cursor, 0)
  if (isFailure(parsed) || peek(cursor).kind === 'end') return parsed
  return failAfterValue(cursor)
}
