import * as v from 'valibot'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import { ToolExecutor } from '../../../src/execution/tool-executor.ts'
import type { JsonObject, ToolIssue } from '../../../src/tool/json-value.ts'
import { tool } from '../../../src/tool/tool.ts'
import {
  approveEdited,
  blockedBecause,
  buttonNamed,
  controlOf,
  editable,
  fieldOf,
  openEditor,
  paste,
  retype,
  showAs,
} from './edit-input.ts'
import { hosts, readyDialog, removeDialogs, request, sleep, watch } from './open-dialog.ts'
import { click, press, type } from './real-input.ts'

const text = { type: 'string' }

afterEach(() => {
  vi.restoreAllMocks()
  removeDialogs()
})

const atMost100 = async ({ amount }: JsonObject): Promise<readonly ToolIssue[]> => {
  if (typeof amount !== 'number') return [{ path: 'amount', message: 'expected a number' }]
  return amount > 100 ? [{ path: 'amount', message: 'at most 100' }] : []
}
const pay = (changes: Partial<ApprovalRequest> = {}) =>
  editable({ amount: 5 }, { amount: { type: 'number', maximum: 100 } }, { check: atMost100, ...changes })

describe('F06 an input that does not fit', () => {
  test('is told in the form, and cannot be approved', async () => {
    const { open, answer } = await openEditor(pay())
    const amount = controlOf(open, 'amount')
    await retype(amount, '1000')
    await blockedBecause(open, 'The input has a problem.')
    expect(amount.ariaInvalid).toBe('true')
    const described = amount.getAttribute('aria-describedby')?.split(' ') ?? []
    expect(described.map((id) => open.root.getElementById(id)?.textContent)).toContain('at most 100')
    expect(open.text('.summary')).toContain('amount: at most 100')
    await click(open.approve)
    open.approve.focus()
    await press('Enter', ' ')
    expect(answer.decision).toBeUndefined()
    await retype(amount, '99')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { amount: 99 } })
  })

  test('stays a text when it is written as one in JSON', async () => {
    const check = vi.fn(atMost100)
    const { open, answer } = await openEditor(pay({ check }))
    await showAs(open, 'json')
    paste(open.get('textarea'), '{"amount":"1000"}')
    await blockedBecause(open, 'The input has a problem.')
    expect(check).toHaveBeenLastCalledWith({ amount: '1000' })
    expect(open.text('.summary')).toContain('amount: expected a number')
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
  })

  test('is not run by the executor either', async () => {
    const execute = vi.fn(() => 'paid')
    const payTool = tool({
      name: 'pay',
      description: 'Pay.',
      inputSchema: v.object({ amount: v.pipe(v.number(), v.maxValue(100)) }),
      needsApproval: true,
      execute,
    })
    const executor = new ToolExecutor({ tools: [payTool], confirm: confirmDialog() })
    const running = executor.execute({ name: 'pay', input: { amount: 5 } })
    await vi.waitFor(() => expect(hosts()).toHaveLength(1), { timeout: 5_000 })
    const open = await readyDialog()
    await click(open.get('[part~=edit]'))
    await vi.waitFor(() => open.get('.editor'), { timeout: 5_000 })
    await retype(controlOf(open, 'amount'), '1000')
    await vi.waitFor(() => expect(open.text('.summary')).toMatch(/amount: .*100/), { timeout: 5_000 })
    await click(open.approve)
    expect(execute).not.toHaveBeenCalled()
    await retype(controlOf(open, 'amount'), '7')
    await approveEdited(open)
    expect(await running).toMatchObject({ outcome: 'success', executedInput: { amount: 7 } })
    expect(execute).toHaveBeenCalledOnce()
  })
})

test('F08 a mutable object given to the dialog cannot change what was shown', async () => {
  const input = { path: 'a.md', deep: { list: ['x'] } }
  const { open, answer } = await openEditor(editable(input, { path: text }))
  input.path = 'b.md'
  input.deep.list.push('y')
  expect(fieldOf(open, 'path').classList).not.toContain('differs')
  await type(controlOf(open, 'path'), 'x')
  await approveEdited(open)
  expect(answer.decision).toEqual({ approved: true, input: { path: 'a.mdx', deep: { list: ['x'] } } })
  const { input: edited } = answer.decision as { input: JsonObject }
  expect([edited, edited.deep].every(Object.isFrozen)).toBe(true)
})

describe('a difference', () => {
  test('is marked at its field with both values, letter for letter, and undone there', async () => {
    const { open, answer } = await openEditor(editable({ to: 'ada', cc: 'kim' }, { to: text, cc: text }))
    expect(open.root.querySelector('.differs')).toBeNull()
    paste(controlOf(open, 'to'), 'ada\u200B')
    const field = fieldOf(open, 'to')
    expect(field.textContent).toContain('Changed')
    const values = [...field.querySelectorAll('.difference dd')].map((value) => value.textContent)
    expect(values).toEqual(['"ada"', '"adaU+200B"'])
    await click(buttonNamed(field, 'Undo'))
    expect(controlOf(open, 'to').value).toBe('ada')
    expect(open.root.activeElement).toBe(controlOf(open, 'to'))
    expect(open.root.querySelector('.differs')).toBeNull()
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('of all fields is undone at once', async () => {
    const { open, answer } = await openEditor(
      editable({ to: 'ada', n: 1 }, { to: text, n: { type: 'number' } }),
    )
    await type(controlOf(open, 'to'), 'x')
    await type(controlOf(open, 'n'), '2')
    expect(open.root.querySelectorAll('.differs')).toHaveLength(2)
    await click(buttonNamed(open.root, 'Undo all'))
    expect(open.root.querySelectorAll('.differs')).toHaveLength(0)
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('is none when only the order of keys is another one', async () => {
    const { open, answer } = await openEditor(editable({ a: 1, b: { c: 2, d: 3 } }, {}))
    paste(open.get('textarea'), '{"b":{"d":3,"c":2},"a":1}')
    expect(open.root.querySelector('.differs')).toBeNull()
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('is listed by field beside JSON, and undone there', async () => {
    const { open } = await openEditor(editable({ a: 1, b: 2 }, { a: { type: 'number' } }))
    await showAs(open, 'json')
    paste(open.get('textarea'), '{"a":1,"c":3}')
    const rows = () =>
      [...open.root.querySelectorAll('.differences .form-field')].map((row) =>
        [...row.querySelectorAll('.name, dd')].map((part) => part.textContent),
      )
    expect(rows()).toEqual([
      ['b', '2', 'left out'],
      ['c', 'left out', '3'],
    ])
    await click(buttonNamed(fieldOf(open, 'b'), 'Undo'))
    expect(JSON.parse(open.get<HTMLTextAreaElement>('textarea').value)).toEqual({ a: 1, b: 2, c: 3 })
    expect(rows()).toEqual([['c', 'left out', '3']])
  })

  test('is given up with the editor', async () => {
    const { open, answer } = await openEditor(editable({ to: 'ada' }, { to: text }))
    await type(controlOf(open, 'to'), 'x')
    await click(buttonNamed(open.root, 'Cancel editing'))
    expect(open.root.querySelector('.editor')).toBeNull()
    expect(open.text('.fields')).toContain('"ada"')
    expect(open.root.activeElement).toBe(open.get('[part~=edit]'))
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true })
  })
})

describe('the check', () => {
  test('waits for a pause, and blocks from the first key until its answer', async () => {
    let answerCheck: (issues: readonly ToolIssue[]) => void = () => {}
    const check = vi.fn(
      () =>
        new Promise<readonly ToolIssue[]>((resolve) => {
          answerCheck = resolve
        }),
    )
    const { open, answer } = await openEditor(editable({ to: '' }, { to: text }, { check }))
    expect(open.approve.ariaDisabled).toBeNull()
    await type(controlOf(open, 'to'), 'a')
    expect(open.text('.blocked')).toBe('Checking the input …')
    await type(controlOf(open, 'to'), 'da')
    await vi.waitFor(() => expect(check).toHaveBeenCalled())
    expect(check.mock.calls).toEqual([[{ to: 'ada' }]])
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
    answerCheck([])
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'ada' } })
  })

  test('counts only as the newest one, in whatever order the answers come', async () => {
    const answers = new Map<unknown, (issues: readonly ToolIssue[]) => void>()
    const check = ({ to }: JsonObject) =>
      new Promise<readonly ToolIssue[]>((resolve) => {
        answers.set(to, resolve)
      })
    const { open } = await openEditor(editable({ to: '' }, { to: text }, { check }))
    await type(controlOf(open, 'to'), 'a')
    await vi.waitFor(() => expect(answers.has('a')).toBe(true))
    await type(controlOf(open, 'to'), 'b')
    answers.get('a')?.([])
    await sleep(20)
    expect(open.approve.ariaDisabled).toBe('true')
    await vi.waitFor(() => expect(answers.has('ab')).toBe(true))
    answers.get('ab')?.([{ path: 'to', message: 'no such address' }])
    await blockedBecause(open, 'The input has a problem.')
    await type(controlOf(open, 'to'), 'c')
    await vi.waitFor(() => expect(answers.has('abc')).toBe(true))
    await click(buttonNamed(open.root, 'Undo all'))
    answers.get('abc')?.([{ path: 'to', message: 'no such address' }])
    await sleep(20)
    expect(open.approve.ariaDisabled).toBeNull()
    expect(open.text('.editor')).not.toContain('no such address')
  })

  test('that fails blocks, says so and can be tried again', async () => {
    const check = vi.fn<ApprovalRequest['check']>().mockRejectedValueOnce(new Error('no worker\u202E'))
    check.mockResolvedValue([])
    const { open, answer } = await openEditor(editable({ to: '' }, { to: text }, { check }))
    await type(controlOf(open, 'to'), 'a')
    await blockedBecause(open, 'The input was not checked.')
    expect(open.text('.details')).toContain('The input could not be checked: no workerU+202E')
    await click(buttonNamed(open.root, 'Check again'))
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'a' } })
  })

  test('gets a copy that it cannot change', async () => {
    const check = vi.fn(async (input: JsonObject) => {
      expect(Object.isFrozen(input)).toBe(true)
      return []
    })
    const { open, answer } = await openEditor(editable({ to: '' }, { to: text }, { check }))
    await type(controlOf(open, 'to'), 'a')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'a' } })
  })

  test('shows a message about no field of the form in the summary, and its text letter for letter', async () => {
    const issue = { path: '', message: '<b>too\u202E much</b>' }
    const { open } = await openEditor(editable({ to: '' }, { to: text }, { check: async () => [issue] }))
    await type(controlOf(open, 'to'), 'a')
    await vi.waitFor(() => expect(open.text('.summary')).toContain('The whole input: <b>tooU+202E much</b>'))
  })

  test('leads from the summary to the field', async () => {
    const check = async () => [{ path: 'to', message: 'no such address' }]
    const { open } = await openEditor(editable({ to: '' }, { to: text }, { check }))
    await type(controlOf(open, 'to'), 'a')
    await vi.waitFor(() => open.get('.summary .link'), { timeout: 10_000 })
    await click(open.get('.summary .link'))
    expect(open.root.activeElement).toBe(controlOf(open, 'to'))
  })
})

describe('JSON', () => {
  test.each([
    ['is no JSON', '{"to": ', /^The whole input: This is not JSON: /],
    ['is no object', '[1]', 'The whole input: The input must be an object: { … }.'],
    ['has a number that would be rounded', '{"id":12345678901234567890}', 'more digits than can be kept'],
    ['has a number that is none', '{"id":1e999}', 'more digits|not a JSON number'],
    ['has a key that reaches a prototype', '{"__proto__":{}}', '__proto__'],
  ])('that %s cannot be approved', async (_what, written, message) => {
    const { open, answer } = await openEditor(editable({ to: 'ada' }, { to: text }))
    await showAs(open, 'json')
    paste(open.get('textarea'), written)
    await blockedBecause(open, 'The input cannot be read yet.')
    expect(open.text('.summary li')).toMatch(new RegExp(message))
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
    await showAs(open, 'form')
    expect(open.text('.editor')).toContain('First correct what cannot be read.')
    expect(open.get<HTMLTextAreaElement>('textarea').value).toBe(written)
  })

  test('writes what cannot be seen as numbers, and reads it as it was', async () => {
    const input = { value: 'a\u202Eb\u{E0041}c"\\\n', 'k\u200B': `${' '.repeat(60)}x` }
    const { open, answer } = await openEditor(editable(input, {}))
    const { value } = open.get<HTMLTextAreaElement>('textarea')
    expect(value).toContain('\\u202eb\\udb40\\udc41c')
    expect(value).not.toMatch(/\u202E|\u200B|\u{E0041}/u)
    expect(JSON.parse(value)).toEqual(input)
    paste(open.get('textarea'), value.replace('}', ',"more":1}'))
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { ...input, more: 1 } })
  })

  test('and the form hand each other what was written', async () => {
    const { open, answer } = await openEditor(
      editable({ to: 'ada', n: 1 }, { to: text, n: { type: 'number' } }),
    )
    await type(controlOf(open, 'to'), 'x')
    await showAs(open, 'json')
    expect(JSON.parse(open.get<HTMLTextAreaElement>('textarea').value)).toEqual({ to: 'adax', n: 1 })
    paste(open.get('textarea'), '{"to":"kim","n":"one"}')
    await showAs(open, 'form')
    expect(controlOf(open, 'to').value).toBe('kim')
    // The form has no better field for a text where a number belongs.
    expect(controlOf(open, 'n').value).toBe('"one"')
    await click(buttonNamed(fieldOf(open, 'n'), 'Undo'))
    expect(controlOf(open, 'n').value).toBe('1')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'kim', n: 1 } })
  })
})

test('a person who answers before the editor is there answers the proposal', async () => {
  const answer = watch(confirmDialog()(request()))
  const open = await readyDialog()
  open.get<HTMLButtonElement>('[part~=edit]').click()
  await click(open.deny)
  await vi.waitFor(() => expect(answer.decision).toEqual({ approved: false }))
  await sleep(300)
})

test('F15 an abort while the input is edited settles the question', async () => {
  const stop = new AbortController()
  const { open, answer } = await openEditor(editable({ to: '' }, { to: text }, { signal: stop.signal }))
  await type(controlOf(open, 'to'), 'a')
  stop.abort()
  await vi.waitFor(() =>
    expect(answer.decision).toEqual({ approved: false, unanswered: 'the run was stopped' }),
  )
  expect(hosts()).toHaveLength(0)
})
