import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { engine } from '../engine.ts'
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
import { hold, press, release, type } from './real-input.ts'

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

// Its driver sends nothing for a key that is held down again.
const noRepeats = engine === 'webkit'

/** How often the keyboard has repeated a key since, as it does while the key is held. */
function countRepeats(key: string): () => number {
  let count = 0
  const listener = (event: KeyboardEvent) => {
    if (event.isTrusted && event.repeat && event.key === key) count += 1
  }
  window.addEventListener('keydown', listener, { capture: true })
  onTestFinished(() => window.removeEventListener('keydown', listener, { capture: true }))
  return () => count
}

describe.each([
  ['Enter', 'Enter'],
  ['Space', ' '],
])('%s', (_name, key) => {
  test('approves when it is pressed and released on Approve', async () => {
    const answer = watch(ask(request()))
    const { approve } = await readyDialog()
    await press('Tab')
    expect(document.activeElement?.shadowRoot?.activeElement).toBe(approve)
    await hold(key)
    expect(answer.decision).toBeUndefined()
    await release(key)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('denies while the focus is where it starts', async () => {
    const answer = watch(ask(request()))
    await readyDialog()
    await press(key)
    await vi.waitFor(() => expect(answer.decision).toEqual({ approved: false }))
  })

  test('approves when the press begins after 300 ms and not before', async () => {
    const clock = guardClock(1_000)
    const answer = watch(ask(request()))
    new OpenDialog().approve.focus()
    await guardLooks()
    clock.at(1_299, 'keydown')
    clock.at(9_000, 'keyup')
    await press(key)
    expect(answer.decision).toBeUndefined()
    clock.at(1_300, 'keydown')
    await press(key)
    expect(answer.decision).toEqual({ approved: true })
  })

  test.skipIf(noRepeats)('answers nothing when it was held already as the dialog opened', async () => {
    await hold(key)
    const answer = watch(ask(request()))
    const { approve, deny } = await readyDialog()
    const repeats = countRepeats(key)
    for (const button of [deny, approve]) {
      button.focus()
      await hold(key)
      await hold(key)
      expect(answer.decision).toBeUndefined()
    }
    expect(repeats()).toBe(4)
    await release(key)
    await sleep(20)
    expect(answer.decision).toBeUndefined()
  })

  test('does not approve when the focus came to Approve only for the release', async () => {
    const answer = watch(ask(request()))
    const open = await readyDialog()
    open.get('.details').focus()
    await hold(key)
    open.approve.focus()
    // A script cannot add the missing half.
    open.approve.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    await release(key)
    await sleep(20)
    expect(answer.decision).toBeUndefined()
  })
})

describe('Escape', () => {
  test('denies, and drops a reason that was begun', async () => {
    const answer = watch(ask(request()))
    const { reason } = await readyDialog()
    await type(reason, 'half a sent')
    await press('Escape')
    expect(answer.decision).toEqual({ approved: false })
  })

  test.skipIf(noRepeats)('held down denies one question, not all that wait', async () => {
    const answers = [ask(request()), ask(request()), ask(request())].map(watch)
    await readyDialog()
    await hold('Escape')
    const repeats = countRepeats('Escape')
    for (let times = 0; times < 4; times += 1) await hold('Escape')
    expect(repeats()).toBe(4)
    await release('Escape')
    await sleep(20)
    expect(answers.map(({ decision }) => decision)).toEqual([{ approved: false }, undefined, undefined])
  })
})

describe('Enter in the field for the reason', () => {
  test('denies with the reason', async () => {
    const answer = watch(ask(request()))
    const { reason } = await readyDialog()
    await type(reason, 'not now')
    await press('Enter')
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
  const reached: string[] = []
  const tab = async () => {
    await press('Tab')
    reached.push(root.activeElement?.getAttribute('part') ?? 'outside')
  }
  await tab()
  // And back from there: forward it would go on in the browser's own buttons, where there are some.
  await hold('Shift')
  for (let times = 0; times < 4; times += 1) await tab()
  await release('Shift')
  expect(reached.slice(0, 3)).toEqual(['button approve', 'button deny', 'reason'])
  expect(reached).toContain('details')
})
