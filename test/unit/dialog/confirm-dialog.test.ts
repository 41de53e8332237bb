import { describe, expect, test } from 'vitest'
import { changeTextsEn } from '../../../src/dialog/change-texts.ts'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { dialogTextsEn } from '../../../src/dialog/dialog-texts.ts'
import { dialogTextsZh } from '../../../src/dialog/dialog-texts-zh.ts'
import { editorTextsEn } from '../../../src/dialog/editor-texts.ts'
import { elicitTextsEn } from '../../../src/dialog/elicit-texts.ts'
import { loadedDialog } from '../../../src/dialog/load-dialog.ts'
import { policyViewTextsEn } from '../../../src/dialog/policy-view-texts.ts'
import { ToolExecutor } from '../../../src/execution/tool-executor.ts'
import { tool } from '../../../src/tool/tool.ts'

describe('confirmDialog on a server', () => {
  test('gives a handler that rejects and says what to do', async () => {
    const ask = confirmDialog({ timeoutMs: 5_000 })
    await expect(ask({} as never)).rejects.toThrow(
      'confirmDialog() can ask only in the page of a browser. On a server or in a worker, pass another confirm handler.',
    )
  })

  test('fetches no dialog', async () => {
    confirmDialog()
    // By now it would have been there.
    await import('../../../src/dialog/confirm-queue.ts')
    await new Promise((resolve) => setTimeout(resolve))
    expect(loadedDialog()).toBeUndefined()
  })

  test('is a denial for the executor', async () => {
    let ran = false
    const erase = tool({
      name: 'erase',
      description: 'Erase.',
      needsApproval: true,
      execute: () => {
        ran = true
      },
    })
    const executor = new ToolExecutor({ tools: [erase], confirm: confirmDialog() })
    const result = await executor.execute({ name: 'erase', input: {} })
    expect(result).toMatchObject({ outcome: 'denied', error: { code: 'denied' } })
    expect(result.response.text).toContain('erase was not executed')
    expect(ran).toBe(false)
  })
})

describe('confirmDialog refuses', () => {
  test.each([
    ['an option it does not know', { timeout: 5 }, 'there is no option "timeout". Did you mean "timeoutMs"?'],
    ['a timeout that is none', { timeoutMs: 0 }, 'timeoutMs is 0; give milliseconds above 0'],
    ['a text it does not know', { texts: { titl: 'x' } }, 'there is no option "titl". Did you mean "title"?'],
    [
      'a container that is no element',
      { container: '#app' },
      'container: expected an HTML element of this page',
    ],
  ])('%s', (_what, options, message) => {
    expect(() => confirmDialog(options as never)).toThrow(message)
  })
})

const lateTexts = {
  editor: editorTextsEn,
  change: changeTextsEn,
  policy: policyViewTextsEn,
  elicit: elicitTextsEn,
}

describe('the texts', () => {
  test('exist in both languages, each of them its own', () => {
    expect(Object.keys(dialogTextsZh)).toEqual(Object.keys(dialogTextsEn))
    for (const [name, english] of Object.entries(dialogTextsEn)) {
      const chinese = dialogTextsZh[name as keyof typeof dialogTextsZh]
      expect(typeof chinese).toBe(typeof english)
      if (name in lateTexts) continue
      if (name !== 'lang') expect(written(chinese)).toMatch(/\p{Script=Han}/u)
      expect(written(english)).not.toMatch(/\p{Script=Han}/u)
    }
  })

  test.each(Object.entries(lateTexts))(
    'of "%s" exist in both languages, the Chinese ones with the dialog, the English ones with what they are for',
    (group, texts) => {
      const chinese: Record<string, unknown> = { ...dialogTextsZh[group as keyof typeof lateTexts] }
      expect(Object.keys(chinese)).toEqual(Object.keys(texts))
      expect(dialogTextsEn[group as keyof typeof lateTexts]).toEqual({})
      for (const [name, english] of Object.entries(texts)) {
        expect(written(chinese[name])).toMatch(/\p{Script=Han}/u)
        expect(written(english)).not.toMatch(/\p{Script=Han}/u)
      }
    },
  )

  test('count problems as people do', () => {
    expect([1, 2].map(editorTextsEn.wrong)).toEqual(['The input has a problem.', 'The input has 2 problems.'])
  })

  test('write numbers as people read them', () => {
    expect(dialogTextsEn.timedOut(90_000)).toBe('nobody answered within 90 s')
    expect(dialogTextsEn.timedOut(1_500)).toBe('nobody answered within 1.5 s')
    expect(dialogTextsEn.showAll(12_345)).toBe('Show all 12,345 characters')
    expect(dialogTextsZh.timedOut(90_000)).toBe('90 秒内没有人回答')
  })
})

function written(text: unknown): string {
  // A rule that has no short sentence has none in any language.
  return typeof text === 'function' ? (text(1, 2) ?? text('untrusted-effect')) : String(text)
}
