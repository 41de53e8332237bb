import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { controlOf, editable } from './edit-input.ts'
import {
  guardClock,
  guardLooks,
  hosts,
  OpenDialog,
  readyDialog,
  removeDialogs,
  request,
  type Watched,
  watch,
} from './open-dialog.ts'
import { click, clickAt, press, type } from './real-input.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeDialogs()
  document.body.replaceChildren()
})

function askAll(...names: readonly string[]): readonly Watched[] {
  return names.map((toolName) => watch(confirmDialog()(request({ toolName }))))
}

function rows(): HTMLButtonElement[] {
  return [...new OpenDialog().root.querySelectorAll<HTMLButtonElement>('.row')]
}

function row(name: string): HTMLButtonElement {
  const found = rows().find((one) => one.querySelector('.row-tool')?.textContent === name)
  if (found === undefined) throw new Error(`The list has no ${name}.`)
  return found
}

function shownTool(): string {
  return new OpenDialog().text('.tool')
}

describe('the list of all that wait', () => {
  test('is not there for one request', () => {
    askAll('only')
    expect(rows()).toEqual([])
    expect(new OpenDialog().get('.waiting').checkVisibility()).toBe(false)
  })

  test('has tool, origin and the first words of each, letter for letter', () => {
    askAll('first')
    watch(
      confirmDialog()(
        request({ toolName: 'a\u202Eb', origin: 'mcp:x\u202Ey', input: { z: 'long '.repeat(99) } }),
      ),
    )
    const [, second] = rows()
    const part = (selector: string) => second?.querySelector(selector)?.textContent
    expect(part('.row-tool')).toBe('aU+202Eb')
    expect(part('.origin')).toBe('From MCP server xU+202Ey')
    expect(part('.row-input')).toMatch(/^z: (long ){10,}.*…$/)
    // Its name is the dialog's own words, so that no tool can be a second Approve or Deny.
    expect(second?.textContent).toMatch(/^Show the request /)
  })

  test('marks the one that is shown, and shows the one that is picked', async () => {
    const answers = askAll('first', 'second', 'third')
    expect(rows().map((one) => one.getAttribute('aria-current'))).toEqual(['true', null, null])
    await click(row('third'))
    expect(shownTool()).toBe('third')
    expect(new OpenDialog().text('.position')).toBe('3 of 3')
    expect(rows().map((one) => one.getAttribute('aria-current'))).toEqual([null, null, 'true'])
    await click((await readyDialog()).approve)
    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined, { approved: true }])
    expect(hosts()).toHaveLength(1)
  })

  test('goes on with the next one after an answer, and from the end with the first', async () => {
    askAll('first', 'second', 'third')
    await click(row('second'))
    await click(new OpenDialog().deny)
    expect(shownTool()).toBe('third')
    await click(new OpenDialog().deny)
    expect(shownTool()).toBe('first')
    expect(new OpenDialog().text('.position')).toBe('3 of 3')
    await click(new OpenDialog().deny)
    expect(hosts()).toHaveLength(0)
  })

  test('is used with the keyboard, and the focus stays where it was', async () => {
    askAll('first', 'second', 'third')
    row('second').focus()
    await press('Enter')
    expect(shownTool()).toBe('second')
    expect(new OpenDialog().root.activeElement).toBe(row('second'))
    await press('Tab', 'Enter')
    expect(shownTool()).toBe('third')
    await press('Escape')
    expect(shownTool()).toBe('first')
    expect(new OpenDialog().root.activeElement).toBe(new OpenDialog().deny)
  })

  test('keeps the place of one that has ended, which can no longer be picked', async () => {
    askAll('first')
    const leaving = new AbortController()
    watch(confirmDialog()(request({ toolName: 'second', signal: leaving.signal })))
    askAll('third')
    const before = row('third').getBoundingClientRect()
    leaving.abort()
    expect(row('third').getBoundingClientRect().top).toBeGreaterThanOrEqual(before.top)
    expect(row('second').ariaDisabled).toBe('true')
    expect(row('second').textContent).toContain('no longer waiting')
    await click(row('second'))
    expect(shownTool()).toBe('first')
    await click(row('third'))
    expect(rows().map((one) => one.querySelector('.row-tool')?.textContent)).toEqual(['first', 'third'])
  })

  test('is no way round a container that has left the page', async () => {
    askAll('first')
    const container = document.body.appendChild(document.createElement('div'))
    const answer = watch(confirmDialog({ container })(request({ toolName: 'second' })))
    container.remove()
    await click(row('second'))
    await vi.waitFor(() =>
      expect(answer.decision).toEqual({
        approved: false,
        unanswered: 'the dialog was removed from the page',
      }),
    )
    expect(shownTool()).toBe('first')
  })
})

describe('a request that is picked', () => {
  test('has 300 ms of its own, each time it is shown', async () => {
    const clock = guardClock(1_000)
    const answers = askAll('first', 'second')
    await guardLooks()
    for (const [name, now] of [
      ['second', 2_000],
      ['first', 3_000],
      ['second', 4_000],
    ] as const) {
      clock.now = now
      await click(row(name))
      await guardLooks()
      clock.at(now + 299, 'pointerdown', 'click')
      await click(new OpenDialog().approve)
      expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined])
    }
    clock.at(4_300, 'pointerdown', 'click')
    await click(new OpenDialog().approve)
    expect(answers.map(({ decision }) => decision)).toEqual([undefined, { approved: true }])
  })

  test('is not approved by the click that was meant for the one before it', async () => {
    const clock = guardClock(1_000)
    const answers = askAll('first', 'second')
    await guardLooks()
    const { left, top, width, height } = new OpenDialog().approve.getBoundingClientRect()
    clock.now = 5_000
    await click(row('second'))
    await guardLooks()
    clock.at(5_100, 'pointerdown', 'click')
    await clickAt(left + width / 2, top + height / 2)
    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined])
    expect(shownTool()).toBe('second')
  })

  test('F15 that waits again is settled by an abort, and then no longer comes back', async () => {
    const [first] = askAll('first')
    const stop = new AbortController()
    const second = watch(confirmDialog()(request({ toolName: 'second', signal: stop.signal })))
    await click(row('second'))
    await click(row('first'))
    stop.abort()
    await vi.waitFor(() =>
      expect(second.decision).toEqual({ approved: false, unanswered: 'the run was stopped' }),
    )
    expect([hosts().length, shownTool(), first?.decision]).toEqual([1, 'first', undefined])
    await click(new OpenDialog().deny)
    expect(hosts()).toHaveLength(0)
  })

  test('still has the edit and the note that were begun', async () => {
    watch(confirmDialog()(editable({ to: 'ada' }, { to: { type: 'string' } }, { toolName: 'first' })))
    askAll('second')
    const open = await readyDialog()
    await click(open.get('[part~=edit]'))
    await vi.waitFor(() => open.get('.editor'), { timeout: 10_000 })
    await type(controlOf(open, 'to'), 'x')
    await type(open.reason, 'why')
    await click(row('second'))
    expect(new OpenDialog().root.querySelector('.editor')).toBeNull()
    await click(row('first'))
    const back = new OpenDialog()
    expect(controlOf(back, 'to').value).toBe('adax')
    expect(back.text('.difference')).toContain('adax')
    expect(back.reason.value).toBe('why')
    await type(controlOf(back, 'to'), 'y')
    await vi.waitFor(() => expect(back.approve.ariaDisabled).toBeNull())
  })
})
