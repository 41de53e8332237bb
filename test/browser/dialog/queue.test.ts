import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import type { ApprovalDecision } from '../../../src/execution/decision.ts'
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
import { click } from './real-input.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  removeDialogs()
  document.body.replaceChildren()
})

function newContainer(): HTMLElement {
  return document.body.appendChild(document.createElement('section'))
}

describe('several questions', () => {
  test('of several handlers are asked one after the other, with their place in the queue', async () => {
    const names = ['first', 'second', 'third']
    const answers = names.map((toolName) => watch(confirmDialog()(request({ toolName }))))
    for (const [index, toolName] of names.entries()) {
      const open = await readyDialog()
      expect([open.text('.tool'), open.text('.position')]).toEqual([toolName, `${index + 1} of 3`])
      await click(index === 1 ? open.deny : open.approve)
    }
    expect(answers.map(({ decision }) => decision)).toEqual([
      { approved: true },
      { approved: false },
      { approved: true },
    ])
    expect(hosts()).toHaveLength(0)
  })

  test('count those that join or leave while one is shown, and a single one is not counted', () => {
    const ask = confirmDialog()
    const leaving = new AbortController()
    watch(ask(request()))
    const open = new OpenDialog()
    expect(open.text('.position')).toBe('')
    watch(ask(request({ signal: leaving.signal })))
    watch(ask(request()))
    expect(open.text('.position')).toBe('1 of 3')
    leaving.abort()
    expect(open.text('.position')).toBe('1 of 2')
  })

  test('have 300 ms each: a double click approves one of them', async () => {
    const clock = guardClock(1_000)
    const answers = ['first', 'second'].map((toolName) => watch(confirmDialog()(request({ toolName }))))
    await guardLooks()
    clock.now = 2_000
    await click(new OpenDialog().approve)
    await guardLooks()
    const { approve } = new OpenDialog()
    clock.at(2_299, 'pointerdown', 'click')
    await click(approve)
    expect(answers.map(({ decision }) => decision)).toEqual([{ approved: true }, undefined])
    clock.at(2_300, 'pointerdown', 'click')
    await click(approve)
    expect(answers[1]?.decision).toEqual({ approved: true })
  })

  test('go on with the next one when the one that is shown is withdrawn', async () => {
    const ask = confirmDialog()
    const stopping = new AbortController()
    const first = ask(request({ toolName: 'first', signal: stopping.signal }))
    const second = watch(ask(request({ toolName: 'second' })))
    stopping.abort()
    expect(await first).toEqual({ approved: false, unanswered: 'the run was stopped' })
    const open = await readyDialog()
    expect(open.text('.tool')).toBe('second')
    await click(open.approve)
    expect(second.decision).toEqual({ approved: true })
  })
})

describe('a question ends without an answer', () => {
  test('at once when its signal has aborted before it is asked', async () => {
    const answer = confirmDialog()(request({ signal: AbortSignal.abort() }))
    expect(hosts()).toHaveLength(0)
    expect(await answer).toEqual({ approved: false, unanswered: 'the run was stopped' })
  })

  test('after its timeout, which counts from when it is asked, also behind another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    watch(confirmDialog()(request({ toolName: 'first' })))
    const second = watch(confirmDialog({ timeoutMs: 2_000 })(request({ toolName: 'second' })))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(second.decision).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(second.decision).toEqual({ approved: false, unanswered: 'nobody answered within 2 s' })
    expect(new OpenDialog().text('.tool')).toBe('first')
  })

  test('never by itself when there is no timeout, or an endless one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answers = [confirmDialog(), confirmDialog({ timeoutMs: Number.POSITIVE_INFINITY })].map((ask) =>
      watch(ask(request())),
    )
    await vi.advanceTimersByTimeAsync(60_000)
    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined])
  })

  test('when the element is removed', async () => {
    const answer = confirmDialog()(request())
    new OpenDialog().host.remove()
    expect(await answer).toEqual({ approved: false, unanswered: 'the dialog was removed from the page' })
  })

  test('when what holds the element is removed, and so do those that wait for the same place', async () => {
    const container = newContainer()
    const ask = confirmDialog({ container })
    const answers = [ask(request()), ask(request())]
    const elsewhere = watch(confirmDialog()(request({ toolName: 'elsewhere' })))
    expect(container.contains(new OpenDialog().host)).toBe(true)
    container.remove()
    const gone = { approved: false, unanswered: 'the dialog was removed from the page' }
    expect(await Promise.all(answers)).toEqual([gone, gone])
    expect(new OpenDialog().text('.tool')).toBe('elsewhere')
    expect(elsewhere.decision).toBeUndefined()
  })

  test('when its container is not in the page', async () => {
    const answer = confirmDialog({ container: document.createElement('div') })(request())
    expect(await answer).toMatchObject({ approved: false, unanswered: expect.any(String) })
  })
})

describe('a question that has ended', () => {
  type End = (stop: AbortController) => void | Promise<void>
  const ends: [string, End][] = [
    ['answered', () => click(new OpenDialog().deny)],
    ['aborted', (stop) => stop.abort()],
    ['removed', () => new OpenDialog().host.remove()],
    ['timed out', () => sleep(900)],
  ]

  test.each(ends)('stays ended when it was %s, whatever is clicked later', async (_how, end) => {
    const stop = new AbortController()
    const answer = watch(confirmDialog({ timeoutMs: 800 })(request({ signal: stop.signal })))
    const { host, dialog, approve } = await readyDialog()
    await end(stop)
    await sleep(0)
    const { decision } = answer
    expect(decision).toMatchObject({ approved: false })
    const next = watch(confirmDialog()(request()))
    await sleep(50)
    // The old dialog comes back, on top, and is clicked on with a real pointer.
    document.body.append(host)
    dialog.close()
    dialog.showModal()
    await sleep(400)
    await click(approve)
    expect(answer.decision).toBe(decision)
    expect(next.decision).toBeUndefined()
    host.remove()
  })

  test.each(ends)('leaves no listener and no timer when it was %s', async (_how, end) => {
    const stop = new AbortController()
    const counts = [stop.signal, document, window].map(countListeners)
    const timers = new Set<unknown>()
    const { setTimeout: set, clearTimeout: clear } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
      const timer = set(() => {
        timers.delete(timer)
        run()
      }, ms)
      // That of this test's timeout; the others are those of the tools that drive it.
      if (ms === 800) timers.add(timer)
      return timer
    }) as typeof setTimeout)
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
      timers.delete(timer)
      clear(timer as never)
    })
    const answer = confirmDialog({ timeoutMs: 800 })(request({ signal: stop.signal }))
    expect([counts[0]?.(), counts[1]?.(), timers.size]).toEqual([1, 1, 1])
    await end(stop)
    await (answer as Promise<ApprovalDecision>)
    expect([counts.map((count) => count()), timers.size]).toEqual([[0, 0, 0], 0])
  })
})

// How many listeners that were added from now on are still there.
function countListeners(target: EventTarget): () => number {
  const added: unknown[] = []
  const { addEventListener: add, removeEventListener: remove } = target
  vi.spyOn(target, 'addEventListener').mockImplementation((type, listener, options) => {
    if (type === 'abort' || type === 'visibilitychange') added.push(listener)
    add.call(target, type, listener, options)
  })
  vi.spyOn(target, 'removeEventListener').mockImplementation((type, listener, options) => {
    const index = added.indexOf(listener)
    if (index >= 0) added.splice(index, 1)
    remove.call(target, type, listener, options)
  })
  return () => added.length
}

test('a text that throws ends its question and leaves no dialog', async () => {
  const broken = confirmDialog({
    texts: {
      position: () => {
        throw new Error('no number today')
      },
    },
  })
  const first = broken(request())
  const refused = expect(first).rejects.toThrow('no number today')
  const second = watch(confirmDialog()(request({ toolName: 'second' })))
  await refused
  expect(new OpenDialog().text('.tool')).toBe('second')
  expect(second.decision).toBeUndefined()
})
