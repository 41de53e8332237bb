import { describe, expect, it } from 'vitest'
import { tokenize } from '../../../../src/tools/calculator/tokenize.ts'

function kindsOf(expression: string): string[] {
  return tokenize(expression).map(({ kind, text }) => (kind === text ? kind : `${kind}:${text}`))
}

describe('tokenize', () => {
  it('cuts an expression into its tokens, with their places', () => {
    expect(kindsOf(' 2**-x //(3.5,pi)')).toEqual([
      'number:2',
      'operator:**',
      'operator:-',
      'name:x',
      'operator://',
      '(',
      'number:3.5',
      ',',
      'name:pi',
      ')',
      'end:',
    ])
    expect(tokenize(' 2 + x').map(({ offset }) => offset)).toEqual([1, 3, 5, 6])
  })

  it.each<[string, number | bigint]>([
    ['12', 12n],
    ['010', 10n],
    ['1_000', 1000n],
    ['0x1F', 31n],
    ['0X_1f', 31n],
    ['0o17', 15n],
    ['0b1_1', 3n],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E-3', 0.001],
    ['5.e2', 500],
    ['1_0.2_5e1_0', 102500000000],
    ['007.5', 7.5],
  ])('reads %s as one number', (text, value) => {
    expect(tokenize(text)[0]).toEqual({ kind: 'number', text, offset: 0, value })
    expect(tokenize(text)).toHaveLength(2)
  })

  it.each(['1.2.3', '1..2', '1__0', '1_', '1_a', '0x', '0b2', '0x1G', '0x1.5', '1e5.2', '5._x'])(
    'takes %s as one wrong number',
    (text) => {
      expect(tokenize(text)[0]).toMatchObject({ kind: 'invalid', text, failure: { problem: 'badNumber' } })
      expect(tokenize(text)).toHaveLength(2)
    },
  )

  it('keeps a number and the name behind it apart', () => {
    expect(kindsOf('2pi')).toEqual(['number:2', 'name:pi', 'end:'])
    expect(kindsOf('2e')).toEqual(['number:2', 'name:e', 'end:'])
    expect(kindsOf('2e+1')).toEqual(['number:2e+1', 'end:'])
  })

  it('goes on behind a character that it does not know', () => {
    expect(kindsOf('1$\u{1F600}2')).toEqual([
      'number:1',
      'invalid:$',
      'invalid:\u{1F600}',
      'number:2',
      'end:',
    ])
  })

  it('takes every kind of white space, and only that, as nothing', () => {
    expect(kindsOf('1\t\n\r\u00a0\u3000\u2028+ 1')).toEqual(['number:1', 'operator:+', 'number:1', 'end:'])
    expect(kindsOf('1\u200b+1')[1]).toBe('invalid:\u200b')
  })
})
