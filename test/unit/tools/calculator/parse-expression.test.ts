import { describe, expect, it } from 'vitest'
import { isFailure } from '../../../../src/tools/calculator/failure.ts'
import { type Expression, parseExpression } from '../../../../src/tools/calculator/parse-expression.ts'

/** Shows a tree with every bracket written out. */
function show(tree: Expression): string {
  switch (tree.kind) {
    case 'number':
      return String(tree.value)
    case 'sign':
      return `(${tree.operator}${show(tree.operand)})`
    case 'binary':
      return `(${show(tree.left)} ${tree.operator} ${show(tree.right)})`
    case 'call':
      return `${tree.name}(${tree.arguments.map(show).join(', ')})`
  }
}

function shapeOf(expression: string): string {
  const tree = parseExpression(expression)
  return isFailure(tree) ? tree.problem : show(tree)
}

describe('parseExpression', () => {
  it.each([
    ['1+2*3', '(1 + (2 * 3))'],
    ['1-2-3', '((1 - 2) - 3)'],
    ['1-2+3', '((1 - 2) + 3)'],
    ['8/4*2', '((8 / 4) * 2)'],
    ['8//3%2', '((8 // 3) % 2)'],
    ['2**3**2', '(2 ** (3 ** 2))'],
    ['-2**2', '(-(2 ** 2))'],
    ['2**-1', '(2 ** (-1))'],
    ['2**-3**2', '(2 ** (-(3 ** 2)))'],
    ['2**-1*3', '((2 ** (-1)) * 3)'],
    ['-1*-2', '((-1) * (-2))'],
    ['-1+2', '((-1) + 2)'],
    ['1--1', '(1 - (-1))'],
    ['+-1', '(+(-1))'],
    ['(1+2)*3', '((1 + 2) * 3)'],
    ['((7))', '7'],
    ['2*round(1.5,1)**2', '(2 * (round(1.5, 1) ** 2))'],
    ['log(1+1,2)', 'log((1 + 1), 2)'],
  ])('reads %s as %s', (expression, shape) => {
    expect(shapeOf(expression)).toBe(shape)
  })

  it('knows where each node stands', () => {
    expect(parseExpression(' 12 - sqrt(4)')).toEqual({
      kind: 'binary',
      operator: '-',
      left: { kind: 'number', value: 12n, offset: 1 },
      right: {
        kind: 'call',
        name: 'sqrt',
        arguments: [{ kind: 'number', value: 4n, offset: 11 }],
        offset: 6,
      },
      offset: 4,
    })
  })

  it('fails as data, with the place and the piece that is wrong', () => {
    expect(parseExpression('1 + foo')).toEqual({
      problem: 'unknownName',
      offset: 4,
      found: 'foo',
      instead: 'sqrt, abs, round, log, sin, cos, pi, e',
      limit: '',
    })
  })

  it('checks a name before it looks at what comes behind it', () => {
    expect(shapeOf('Object=1')).toBe('unknownName')
    expect(shapeOf('sin=1')).toBe('assignment')
    expect(shapeOf('cos.constructor')).toBe('unexpectedCharacter')
  })
})
