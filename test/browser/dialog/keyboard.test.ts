import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cdp, userEvent } from 'vitest/browser'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import {
  guardClock,
  guardLooks,
  OpenDialog,
  readyDialog,
  removeDialogs,
  request,
  sleep,
  watch,
} from './open-dialog.ts'

const ask = confirmDialog()

beforeEach(() => {
  const button = document.body.appendChild(document.createElement('button'))
  button.textContent = 'Before'
  button.focus()
})

afterEach(() => {
  vi.restoreAllMocks()
  removeDialogs()
  document.body.replaceChildren()
})

// What the keyboard sends again and again while a key is held.
async function repeat(key: string, code: string, keyCode: number): Promise<void> {
  const text = key === 'Enter' ? '\r' : key === ' ' ? ' ' : ''
  const event = { key, code, windowsVirtualKeyCode: keyCode, autoRepeat: true, text }
  const { send } = cdp() as unknown as { send(method: string, parameters: object): Promise<unknown> }
  await send('Input.dispatchKeyEvent', { ...event, type: text === '' ? 'rawKeyDown' : 'keyDown' })
}

describe.each([
  ['Enter', '{Enter}', '{Enter>}', '{/Enter}', () => repeat('Enter', 'Enter', 13)],
  ['Space', ' ', '[Space>]', '[/Space]', () => repeat(' ', 'Space', 32)],
])('%s', (_name, press, down, up, sendRepeat) => {
  test('approves when it is pressed and released on Approve', async () => {
    const answer = watch(ask(request()))
    const { approve } = await readyDialog()
    await userEvent.keyboard('{Tab}')
    expect(document.activeElement?.shadowRoot?.activeElement).toBe(approve)
    await userEvent.keyboard(down)
    expect(answer.decision).toBeUndefined()
    await userEvent.keyboard(up)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('denies while the focus is where it starts', async () => {
    const answer = watch(ask(request()))
    await readyDialog()
    await userEvent.keyboard(press)
    expect(answer.decision).toEqual({ approved: false })
  })

  test('approves when the press begins after 300 ms and not before', async () => {
    const clock = guardClock(1_000)
    const answer = watch(ask(request()))
    new OpenDialog().approve.focus()
    await guardLooks()
    clock.at(1_299, 'keydown')
    clock.at(9_000, 'keyup')
    await userEvent.keyboard(press)
    expect(answer.decision).toBeUndefined()
    clock.at(1_300, 'keydown')
    await userEvent.keyboard(press)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('answers nothing when it was held already as the dialog opened', async () => {
    await userEvent.keyboard(down)
    const answer = watch(ask(request()))
    const { approve, deny } = await readyDialog()
    for (const button of [deny, approve]) {
      button.focus()
      await sendRepeat()
      await sendRepeat()
      expect(answer.decision).toBeUndefined()
    }
    await userEvent.keyboard(up)
    await sleep(20)
    expect(answer.decision).toBeUndefined()
  })

  test('does not approve when the focus came to Approve only for the release', async () => {
    const answer = watch(ask(request()))
    const open = await readyDialog()
    open.get('.details').focus()
    await userEvent.keyboard(down)
    open.approve.focus()
    // A script cannot add the missing half.
    const key = press === ' ' ? ' ' : 'Enter'
    open.approve.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    await userEvent.keyboard(up)
    await sleep(20)
    expect(answer.decision).toBeUndefined()
  })
})

describe('Escape', () => {
  test('denies, and drops a reason that was begun', async () => {
    const answer = watch(ask(request()))
    const { reason } = await readyDialog()
    await userEvent.fill(reason, 'half a sent')
    await userEvent.keyboard('{Escape}')
    expect(answer.decision).toEqual({ approved: false })
  })

  test('held down denies one question, not all that wait', async () => {
    const answers = [ask(request()), ask(request()), ask(request())].map(watch)
    await readyDialog()
    await userEvent.keyboard('{Escape>}')
    for (let times = 0; times < 4; times += 1) await repeat('Escape', 'Escape', 27)
    await userEvent.keyboard('{/Escape}')
    await sleep(20)
    expect(answers.map(({ decision }) => decision)).toEqual([{ approved: false }, undefined, undefined])
  })
})

describe('Enter in the field for the reason', () => {
  test('denies with the reason', async () => {
    const answer = watch(ask(request()))
    const { reason } = await readyDialog()
    await userEvent.type(reason, 'not now{Enter}')
    expect(answer.decision).toEqual({ approved: false, reason: 'not now' })
  })

  test('does nothing while it composes a character', async () => {
    const answer = watch(ask(request()))
    const { reason } = await readyDialog()
    reason.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true }))
    await sleep(20)
    expect(answer.decision).toBeUndefined()
    reason.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))
    await sleep(20)
    expect(answer.decision).toEqual({ approved: false })
  })
})

test('Tab reaches the details, the field and both buttons', async () => {
  void ask(request())
  const { root } = new OpenDialog()
  const reached = new Set<string>()
  for (let press = 0; press < 6; press += 1) {
    await userEvent.keyboard('{Tab}')
    reached.add(root.activeElement?.getAttribute('part') ?? 'outside')
  }
  expect([...reached]).toEqual(expect.arrayContaining(['details', 'reason', 'button deny', 'button approve']))
})
