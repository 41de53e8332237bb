import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import { choose } from './edit-input.ts'
import {
  guardClock,
  guardLooks,
  OpenDialog,
  readyDialog,
  removeDialogs,
  request,
  sleep,
  type Watched,
  watch,
} from './open-dialog.ts'
import { click, press, type } from './real-input.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeDialogs()
})

async function ask(
  changes: Partial<ApprovalRequest> = {},
): Promise<{ readonly open: OpenDialog; readonly answer: Watched }> {
  const answer = watch(confirmDialog()(request(changes)))
  return { open: await readyDialog(), answer }
}

const keeps: Partial<ApprovalRequest> = { mayRemember: ['session', 'always'] }

describe('a note', () => {
  test('goes with a yes, and the button says so', async () => {
    const { open, answer } = await ask()
    await type(open.reason, ' only this one ')
    expect(open.approve.textContent).toBe('Approve with note')
    await sleep(400)
    await click(open.approve)
    expect(answer.decision).toEqual({ approved: true, reason: 'only this one' })
  })

  test('of blanks is none', async () => {
    const { open, answer } = await ask()
    await type(open.reason, '  ')
    expect(open.approve.textContent).toBe('Approve')
    await click(open.approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('makes the button larger, so a click that was on its way to what stood there approves nothing', async () => {
    const clock = guardClock(1_000)
    const answer = watch(confirmDialog()(request()))
    const open = new OpenDialog()
    await guardLooks()
    const before = open.approve.getBoundingClientRect().left
    clock.now = 5_000
    await type(open.reason, 'x')
    expect(open.approve.getBoundingClientRect().left).toBeLessThan(before)
    await guardLooks()
    clock.at(5_299, 'pointerdown', 'click')
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
    clock.at(5_300, 'pointerdown', 'click')
    await click(open.approve)
    expect(answer.decision).toEqual({ approved: true, reason: 'x' })
  })
})

describe('how long a yes holds', () => {
  test('is not asked where nothing keeps it', async () => {
    const { open } = await ask()
    expect(open.root.querySelector('select')).toBeNull()
  })

  test('is once at first, for exactly this input, and then not in the answer', async () => {
    const { open, answer } = await ask(keeps)
    const [duration, scope] = open.root.querySelectorAll('select')
    expect([duration?.value, scope?.value]).toEqual(['once', 'input'])
    expect(scope?.checkVisibility()).toBe(false)
    await click(open.approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('offers only what is kept', async () => {
    const { open } = await ask({ mayRemember: ['session'] })
    const options = [...open.get<HTMLSelectElement>('#remember').options].map(({ text }) => text)
    expect(options).toEqual(['Only this time', 'While this page is open'])
  })

  test.each([
    ['While this page is open', 'Exactly this input', { duration: 'session', scope: 'input' }],
    ['Always, until you revoke it', 'Every call of this tool', { duration: 'always', scope: 'tool' }],
  ])('is %s for %s when that is chosen', async (duration, scope, remember) => {
    const { open, answer } = await ask(keeps)
    choose(open.get('#remember'), duration)
    choose(open.get('#remember-for'), scope)
    const warning = 'This tool will then run with any input, without asking you.'
    expect(open.get('.warning').textContent).toBe(remember.scope === 'tool' ? warning : '')
    await sleep(400)
    await click(open.approve)
    expect(answer.decision).toEqual({ approved: true, remember })
  })

  test('is chosen with the keyboard', async () => {
    const { open, answer } = await ask(keeps)
    open.get('#remember').focus()
    // The first letter of a choice, because a menu opens by other keys in each engine.
    await press('W')
    await sleep(400)
    open.approve.focus()
    await press('Enter')
    await vi.waitFor(() =>
      expect(answer.decision).toEqual({ approved: true, remember: { duration: 'session', scope: 'input' } }),
    )
  })

  test('is nothing that a denial carries', async () => {
    const { open, answer } = await ask(keeps)
    choose(open.get('#remember'), 'Always, until you revoke it')
    await click(open.deny)
    await vi.waitFor(() => expect(answer.decision).toEqual({ approved: false }))
  })
})
