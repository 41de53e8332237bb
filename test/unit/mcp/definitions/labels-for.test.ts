import { describe, expect, test } from 'vitest'
import { labelsFor, mayRunTwice } from '../../../../src/mcp/definitions/labels-for.ts'

describe('labelsFor', () => {
  const usual = { effect: 'external', egress: true, reads: 'private', externalContent: true }

  test('a tool that says nothing of itself gets the labels of any server', () => {
    expect(labelsFor({})).toEqual(usual)
  })

  test('a hint that it only reads, or destroys nothing, loosens nothing', () => {
    expect(labelsFor({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })).toEqual(usual)
  })

  test('a hint that it destroys tightens, whatever else it says', () => {
    expect(labelsFor({ destructiveHint: true, readOnlyHint: true })).toEqual({
      ...usual,
      effect: 'destructive',
    })
  })

  test('a call may be made again only when the server says that it may', () => {
    expect([{}, { destructiveHint: false }].map(mayRunTwice)).toEqual([false, false])
    expect([{ idempotentHint: true }, { readOnlyHint: true }].map(mayRunTwice)).toEqual([true, true])
  })
})
