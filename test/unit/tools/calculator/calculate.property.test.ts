import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculate } from '../../../../src/tools/calculator/calculate.ts'
import { calculatorTextsEn, calculatorTextsZh } from '../../../../src/tools/calculator/calculator-texts.ts'
import { runs } from '../../../support/runs.ts'

type Tree =
  | { readonly kind: 'leaf'; readonly value: number }
  | { readonly kind: 'negative'; readonly operand: Tree }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Tree; readonly right: Tree }

function trees(operators: readonly string[]): fc.Arbitrary<Tree> {
  const { tree } = fc.letrec<{ tree: Tree; leaf: Tree; negative: Tree; binary: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, depthSize: 'large' },
      tie('leaf'),
      tie('negative'),
      tie('binary'),
      tie('binary'),
    ),
    leaf: fc.record({ kind: fc.constant('leaf' as const), value: fc.nat(12) }),
    negative: fc.record({ kind: fc.constant('negative' as const), operand: tie('tree') }),
    binary: fc.record({
      kind: fc.constant('binary' as const),
      operator: fc.constantFrom(...operators),
      left: tie('tree'),
      right: tie('tree'),
    }),
  }))
  return tree
}

const ranks = new Map([
  ['+', 1],
  ['-', 1],
  ['**', 4],
])

function rankOf(tree: Tree): number {
  if (tree.kind === 'leaf') return 5
  return tree.kind === 'negative' ? 3 : (ranks.get(tree.operator) ?? 2)
}

/** Writes a tree with no more brackets than Python's grammar needs. */
function write(tree: Tree, gap: string): string {
  const inner = (child: Tree, lowestRank: number): string => {
    const text = write(child, gap)
    return rankOf(child) < lowestRank ? `(${gap}${text}${gap})` : text
  }
  if (tree.kind === 'leaf') return String(tree.value)
  if (tree.kind === 'negative') return `-${gap}${inner(tree.operand, 3)}`
  const isPower = tree.operator === '**'
  const rank = rankOf(tree)
  const left = inner(tree.left, isPower ? 5 : rank)
  const right = inner(tree.right, isPower ? 3 : rank + 1)
  return `${left}${gap}${tree.operator}${gap}${right}`
}

class Unknown extends Error {}

/** Repeated multiplication, and only for the powers that stay small. */
function power(base: number, exponent: number): number {
  if (exponent < 0 || exponent > 40) throw new Unknown()
  let result = 1
  for (let count = 0; count < exponent; count += 1) result *= base
  return result
}

function apply(operator: string, [left, right]: readonly [number, number]): number {
  // NaN ** 0 would be 1.
  if (Number.isNaN(left + right)) return Number.NaN
  if (operator === '+') return left + right
  if (operator === '-') return left - right
  if (operator === '*') return left * right
  if (operator === '**') return power(left, right)
  if (right === 0) return Number.NaN
  if (operator === '/') return left / right
  const quotient = Math.floor(left / right)
  return operator === '//' ? quotient : left - right * quotient
}

/** The value by the page's own doubles; NaN stands for a division by zero. Throws where doubles may be wrong. */
function oracle(tree: Tree): number {
  if (tree.kind === 'leaf') return tree.value
  if (tree.kind === 'negative') return -oracle(tree.operand)
  const value = apply(tree.operator, [oracle(tree.left), oracle(tree.right)])
  if (Math.abs(value) > 1e9 || (value !== 0 && Math.abs(value) < 1e-9)) throw new Unknown()
  return value
}

function expected(tree: Tree): number {
  try {
    return oracle(tree) + 0
  } catch (error) {
    if (!(error instanceof Unknown)) throw error
    return fc.pre(false) as never
  }
}

function check(tree: Tree, gap: string): void {
  const value = expected(tree)
  const result = calculate(write(tree, gap), calculatorTextsEn)
  if (Number.isNaN(value)) expect(result).toEqual({ error: expect.stringContaining('Division by zero') })
  else expect('value' in result ? Number(result.value) : result.error).toBe(value)
}

const gaps = fc.constantFrom('', ' ', '\n')
const wholeTrees = trees(['+', '-', '*', '//', '%', '**'])
const decimalTrees = trees(['+', '-', '*', '/'])

const pieces = fc.constantFrom(
  ...'0 1 9 . e _ + - * / ** // % ( ) , ^ = ; 0x 1e 9** sqrt( round( log( abs pi sin cos( __proto__ \u{1F600}'.split(
    ' ',
  ),
  ' ',
  '"',
  '\ud800',
)
const grammarText = fc.string({ unit: pieces, maxLength: 400 })
const mutatedText = fc
  .tuple(wholeTrees, fc.array(fc.tuple(fc.nat(), fc.nat(2), pieces), { minLength: 1, maxLength: 4 }))
  .map(([tree, edits]) => {
    let text = write(tree, '')
    for (const [at, removed, added] of edits) {
      const index = at % (text.length + 1)
      text = text.slice(0, index) + added + text.slice(index + removed)
    }
    return text
  })
const anyText = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 1000 }), grammarText, mutatedText)
  .map((text) => text.slice(0, 1000))

describe('calculate, for random input', () => {
  it('agrees with an oracle on whole numbers', () => {
    void fc.assert(fc.property(wholeTrees, gaps, check), { numRuns: runs(1000) })
  })

  it('agrees with an oracle on decimals', () => {
    void fc.assert(fc.property(decimalTrees, gaps, check), { numRuns: runs(1000) })
  })

  it('keeps quotient and remainder together', () => {
    const operand = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n })
    void fc.assert(
      fc.property(operand, operand, (left, right) => {
        fc.pre(right !== 0n)
        const whole = calculate(
          `(${left}) // (${right}) * (${right}) + (${left}) % (${right})`,
          calculatorTextsEn,
        )
        expect(whole).toEqual({ value: left, text: String(left) })
      }),
    )
  })

  it('never throws, hangs, or leaves out the sentence', () => {
    void fc.assert(
      fc.property(anyText, fc.constantFrom(calculatorTextsEn, calculatorTextsZh), (text, texts) => {
        const start = performance.now()
        const result = calculate(text, texts)
        // A hang guard, forty times the promise of 50 ms.
        expect(performance.now() - start).toBeLessThan(2000)
        if ('error' in result) {
          expect(result.error).toMatch(/[.。]$/)
          expect(result.error).not.toMatch(/\p{Cs}/u)
          expect(result.error.length).toBeLessThan(400)
        } else {
          expect(result.text).toMatch(/^-?\d+(\.\d+)?(e-?\d+)?$/)
          if (typeof result.value === 'number') expect(Number.isFinite(result.value)).toBe(true)
        }
      }),
      { numRuns: runs(3000) },
    )
  })

  it('shows a decimal as a text that reads as the same text again', () => {
    const readable = fc
      .double({ min: -1e300, max: 1e300, noNaN: true })
      .filter((value) => Math.abs(value) > 1e-300)
    void fc.assert(
      fc.property(readable, (value) => {
        const first = calculate(String(value), calculatorTextsEn)
        const text = 'text' in first ? first.text : first.error
        expect(calculate(text, calculatorTextsEn)).toMatchObject({ text })
      }),
    )
  })
})
