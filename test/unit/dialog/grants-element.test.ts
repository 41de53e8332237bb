import { describe, expect, test } from 'vitest'
import { defineGrantsElement, grantsElement } from '../../../src/dialog/grants-element.ts'
import { grantsTextsEn } from '../../../src/dialog/grants-texts.ts'
import { grantsTextsZh } from '../../../src/dialog/grants-texts-zh.ts'
import { Grants } from '../../../src/execution/grants.ts'

describe('<offstage-grants> on a server', () => {
  test('is not defined, which is no error', () => {
    expect(defineGrantsElement()).toBeUndefined()
  })

  test('cannot be made, and says where it can', () => {
    expect(() => grantsElement({ grants: new Grants() })).toThrow('Call it in the browser')
  })
})

describe('the texts', () => {
  test('exist in both languages, each of them its own', () => {
    expect(Object.keys(grantsTextsZh)).toEqual(Object.keys(grantsTextsEn))
    for (const [name, english] of Object.entries(grantsTextsEn)) {
      const chinese = grantsTextsZh[name as keyof typeof grantsTextsZh]
      expect(typeof chinese).toBe(typeof english)
      if (name === 'lang' || name === 'dialog') continue
      expect(written(chinese)).toMatch(/\p{Script=Han}/u)
      expect(written(english)).not.toMatch(/\p{Script=Han}/u)
    }
  })
})

function written(text: unknown): string {
  return typeof text === 'function' ? text(new Date(0)) : String(text)
}
