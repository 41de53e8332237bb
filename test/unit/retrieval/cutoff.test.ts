import { kneePoint, scoreThreshold, type ToolHit } from 'offstage/retrieval'
import { describe, expect, it } from 'vitest'

function hits(...scores: readonly number[]): ToolHit[] {
  return scores.map((score, place) => ({ name: `t${place}`, score, terms: [] }))
}

describe('scoreThreshold', () => {
  it('keeps tools with at least that score, in their order', () => {
    const found = hits(0.9, 0.4, 0.39)
    expect(scoreThreshold(0.4)('q', found)).toEqual(found.slice(0, 2))
    expect(scoreThreshold(1)('q', found)).toEqual([])
  })

  it('refuses what is no number', () => {
    expect(() => scoreThreshold(Number.NaN)).toThrow(
      new RangeError('scoreThreshold(): NaN is no number; give one from 0 to 1.'),
    )
  })
})

describe('kneePoint', () => {
  it.each([
    [[0.9, 0.85, 0.2, 0.18, 0.15], 2],
    [[0.9, 0.2, 0.19, 0.18], 1],
    [[1, 0.3], 2],
    [[0.5, 0.5, 0.5], 3],
    [[0.9, 0.6, 0.3], 3],
    [[0.7], 1],
    [[], 0],
  ])('of %j keeps the first %i', (scores, kept) => {
    const found = hits(...scores)
    expect(kneePoint()('q', found)).toEqual(found.slice(0, kept))
  })
})
