import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import {
  guardClock,
  guardLooks,
  hosts,
  OpenDialog,
  readyDialog,
  removeDialogs,
  request,
  sleep,
  watch,
} from './open-dialog.ts'
import { click, clickAt, press, type } from './real-input.ts'

const ask = confirmDialog()

afterEach(() => {
  vi.restoreAllMocks()
  removeDialogs()
  document.body.replaceChildren()
})

describe('a pointer', () => {
  test('approves with a trusted click', async () => {
    const answer = ask(request())
    await click((await readyDialog()).approve)
    expect(await answer).toEqual({ approved: true })
    expect(hosts()).toHaveLength(0)
  })

  test('denies with a trusted click, and sends the reason that was typed', async () => {
    const answer = ask(request())
    const open = await readyDialog()
    await type(open.reason, '  wrong address  ')
    await click(open.deny)
    expect(await answer).toEqual({ approved: false, reason: 'wrong address' })
  })

  test('approves after 300 ms and not before', async () => {
    const clock = guardClock(1_000)
    const answer = watch(ask(request()))
    const { approve } = new OpenDialog()
    await guardLooks()
    clock.at(1_299, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toBeUndefined()
    clock.at(1_300, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('does not approve when the press began in the first 300 ms, however late it ends', async () => {
    const clock = guardClock(1_000)
    const answer = watch(ask(request()))
    const { approve } = new OpenDialog()
    await guardLooks()
    clock.at(1_299, 'pointerdown')
    clock.at(9_000, 'click')
    await click(approve)
    expect(answer.decision).toBeUndefined()
  })

  test('does not answer by a click beside the dialog', async () => {
    const answer = watch(ask(request()))
    await readyDialog()
    await clickAt(2, 2)
    expect(answer.decision).toBeUndefined()
  })
})

describe('a script', () => {
  test('does not approve with element.click() or made-up events', async () => {
    const answer = watch(ask(request()))
    const { approve } = await readyDialog()
    const pointer = { bubbles: true, composed: true, detail: 1 }
    approve.click()
    approve.dispatchEvent(new PointerEvent('pointerdown', pointer))
    approve.dispatchEvent(new PointerEvent('click', pointer))
    approve.focus()
    for (const key of ['Enter', ' ']) {
      approve.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
      approve.dispatchEvent(new KeyboardEvent('keyup', { key, bubbles: true }))
    }
    await sleep(20)
    expect(answer.decision).toBeUndefined()
  })

  test('that closes the dialog leaves the question unanswered', async () => {
    const answer = ask(request())
    new OpenDialog().dialog.close()
    expect(await answer).toEqual({
      approved: false,
      unanswered: 'the dialog was removed from the page',
    })
  })
})

describe('the time that the dialog is visible', () => {
  test('does not count while the page is hidden', async () => {
    const clock = guardClock(1_000)
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    const answer = watch(ask(request()))
    const { approve } = new OpenDialog()
    await guardLooks()
    clock.at(9_000, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toBeUndefined()
    visibility.mockReturnValue('visible')
    await guardLooks()
    // Hidden for a moment: the time before that is forgotten.
    visibility.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    visibility.mockReturnValue('visible')
    clock.now = 5_000
    await guardLooks()
    clock.at(5_299, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toBeUndefined()
    clock.at(5_300, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('starts anew after another modal dialog covered it', async () => {
    const clock = guardClock(1_000)
    const answer = watch(ask(request()))
    const { approve } = new OpenDialog()
    await guardLooks()
    const cover = document.body.appendChild(document.createElement('dialog'))
    cover.showModal()
    await guardLooks()
    cover.remove()
    clock.now = 5_000
    await guardLooks()
    clock.at(5_299, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toBeUndefined()
    clock.at(5_300, 'pointerdown', 'click')
    await click(approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('ends when the dialog can no longer be seen at all', async () => {
    const container = document.body.appendChild(document.createElement('div'))
    const answer = confirmDialog({ container })(request())
    container.hidden = true
    expect(await answer).toMatchObject({ approved: false, unanswered: expect.any(String) })
    expect(hosts()).toHaveLength(0)
  })
})

describe('the focus', () => {
  test('starts on Deny and returns to where it was', async () => {
    const button = document.body.appendChild(document.createElement('button'))
    button.focus()
    const answer = ask(request())
    const { root, deny } = new OpenDialog()
    expect(root.activeElement).toBe(deny)
    expect(document.activeElement).not.toBe(button)
    await press('Escape')
    expect(await answer).toEqual({ approved: false })
    expect(document.activeElement).toBe(button)
  })

  test('returns into a shadow root, after the last of several questions only', async () => {
    const host = document.body.appendChild(document.createElement('div'))
    const inner = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('button'))
    inner.focus()
    const focused = vi.fn()
    inner.addEventListener('focus', focused)
    const answers = [ask(request()), ask(request())]
    await click(new OpenDialog().deny)
    await answers[0]
    expect(focused).not.toHaveBeenCalled()
    await click(new OpenDialog().deny)
    await answers[1]
    expect(host.shadowRoot?.activeElement).toBe(inner)
    expect(focused).toHaveBeenCalledOnce()
  })
})

test('the element is defined once and shared with another copy of the library', async () => {
  vi.resetModules()
  const copy: typeof import('../../../src/dialog/confirm-dialog.ts') = await import(
    /* @vite-ignore */ `${new URL('../../../src/dialog/confirm-dialog.ts', import.meta.url).pathname}?copy`
  )
  expect(copy.confirmDialog).not.toBe(confirmDialog)
  for (const handler of [confirmDialog(), copy.confirmDialog()]) {
    const answer = handler(request())
    new OpenDialog().host.remove()
    expect(await answer).toMatchObject({ approved: false, unanswered: expect.any(String) })
  }
})
