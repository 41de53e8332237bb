import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { dialogTextsZh } from '../../../src/dialog/dialog-texts-zh.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { approveEdited, blockedBecause, controlOf, fieldOf, retype } from './edit-input.ts'
import { type OpenDialog, readyDialog, removeDialogs, request, type Watched, watch } from './open-dialog.ts'
import { click, press, type } from './real-input.ts'

afterEach(removeDialogs)

const userFields = {
  type: 'object',
  required: ['seats', 'name'],
  properties: {
    name: { type: 'string', description: 'Your name' },
    seats: { type: 'integer', default: 2 },
    note: { type: 'string' },
  },
}
const inputSchema = {
  type: 'object',
  required: ['film', 'seats', 'name'],
  properties: { film: { type: 'string' }, ...userFields.properties },
}

const check = async ({ name, seats }: JsonObject) => [
  ...(name === undefined ? [{ path: 'name', message: 'is missing' }] : []),
  ...(typeof seats === 'number' && seats > 9 ? [{ path: 'seats', message: 'at most 9' }] : []),
]

async function ask(
  changes: Partial<ApprovalRequest> = {},
  options?: Parameters<typeof confirmDialog>[0],
): Promise<{ readonly open: OpenDialog; readonly answer: Watched }> {
  const asked = request({ input: { film: 'Alien' }, inputSchema, userFields, check, ...changes })
  const answer = watch(confirmDialog(options)(asked))
  const open = await readyDialog()
  await vi.waitFor(() => open.get('.form'), { timeout: 5_000 })
  return { open, answer }
}

describe('fields that the person fills in', () => {
  test('are a form at once, with defaults, above the rest of the input', async () => {
    const { open } = await ask()
    expect(controlOf(open, 'seats').value).toBe('2')
    expect(controlOf(open, 'name').value).toBe('')
    const form = open.get('.form').getBoundingClientRect()
    expect(open.get('.fields').getBoundingClientRect().top).toBeGreaterThan(form.bottom)
    expect(open.text('.fields')).toContain('"Alien"')
    expect(open.text('.fields')).not.toContain('seats')
    expect(open.approve.textContent).toBe('Approve with entries')
  })

  test('are asked for without blame before anything is written, and are what a yes carries', async () => {
    const checked = vi.fn(check)
    const { open, answer } = await ask({ check: checked })
    await blockedBecause(open, 'Fill in the required fields first.')
    expect(checked).toHaveBeenLastCalledWith({ film: 'Alien', seats: 2 })
    expect(open.text('.form')).not.toContain('is missing')
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
    await type(controlOf(open, 'name'), 'Kim')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, fields: { name: 'Kim', seats: 2 } })
  })

  test('that were left empty are marked once the person has been there', async () => {
    const { open } = await ask()
    await blockedBecause(open, 'Fill in the required fields first.')
    controlOf(open, 'name').focus()
    await press('Tab')
    expect(fieldOf(open, 'name').textContent).toContain('is missing')
    await retype(controlOf(open, 'seats'), '12')
    await blockedBecause(open, 'The input has 2 problems.')
    expect(fieldOf(open, 'seats').textContent).toContain('at most 9')
  })

  test('and a changed rest of the input go together', async () => {
    const { open, answer } = await ask()
    await type(controlOf(open, 'name'), 'Kim')
    await click(open.get('[part~=edit]'))
    await vi.waitFor(() => open.get('.editor'), { timeout: 10_000 })
    expect(() => fieldOf(open, 'film')).not.toThrow()
    expect(open.get('.editor').textContent).not.toContain('seats')
    await type(controlOf(open, 'film'), 's')
    await approveEdited(open)
    expect(answer.decision).toEqual({
      approved: true,
      fields: { name: 'Kim', seats: 2 },
      input: { film: 'Aliens', name: 'Kim', seats: 2 },
    })
  })

  test('can be denied without filling them in', async () => {
    const { open, answer } = await ask()
    await click(open.deny)
    await vi.waitFor(() => expect(answer.decision).toEqual({ approved: false }))
  })

  test('are asked for in Chinese too', async () => {
    const { open } = await ask({}, { texts: dialogTextsZh })
    await blockedBecause(open, '请先填写必填项。')
    expect(open.approve.textContent).toBe('按填写内容批准')
    await click(open.get('[part~=edit]'))
    await vi.waitFor(() => open.get('.editor'), { timeout: 10_000 })
    await type(controlOf(open, 'film'), 's')
    const words = [
      ...open.root.querySelectorAll('h3, h4, button, legend, .need, .badge, .modes label, .difference dt'),
    ]
    for (const { textContent } of words) expect(textContent?.replace('JSON', '')).not.toMatch(/[a-z]/i)
  })
})
