import { afterEach, describe, expect, test, vi } from 'vitest'
import type { LoadedDialog } from '../../../src/dialog/load-dialog.ts'
import { hosts, OpenDialog, readyDialog, removeDialogs, request, watch } from './open-dialog.ts'
import { click } from './real-input.ts'

/** Whether the file of the dialog is there, on its way, or gone. */
type State = 'there' | 'on its way' | 'gone'

const file = vi.hoisted(() => ({
  state: 'there' as State,
  /** How often it was asked for. */
  asked: 0,
  arrives: () => {},
}))

// The file of the dialog, as an app would fetch it. That the real one is fetched again after a failure is tested on
// the built demo: here no request can fail.
vi.mock(import('../../../src/dialog/load-dialog.ts'), async (load) => {
  const real = await load()
  const arrival = async (): Promise<LoadedDialog> => {
    file.asked += 1
    if (file.state === 'gone') throw new TypeError('Failed to fetch dynamically imported module: /q.js')
    if (file.state === 'on its way') {
      await new Promise<void>((resolve) => {
        file.arrives = () => {
          file.state = 'there'
          resolve()
        }
      })
    }
    return real.loadDialog()
  }
  let arriving: Promise<LoadedDialog> | undefined
  return {
    loadedDialog: () => (file.state === 'there' ? real.loadedDialog() : undefined),
    loadDialog: () => {
      arriving ??= arrival().finally(() => {
        arriving = undefined
      })
      return arriving
    },
  }
})

const { confirmDialog } = await import('../../../src/dialog/confirm-dialog.ts')

afterEach(() => {
  vi.useRealTimers()
  file.state = 'there'
  file.arrives()
  removeDialogs()
})

test('the dialog is fetched when a handler is made, before there is a question', () => {
  file.asked = 0
  confirmDialog()
  expect(file.asked).toBe(1)
})

describe('a dialog that is still on its way', () => {
  test('asks when it arrives, in the order of the questions', async () => {
    file.state = 'on its way'
    const answers = ['first', 'second'].map((toolName) => watch(confirmDialog()(request({ toolName }))))
    expect(hosts()).toHaveLength(0)
    file.arrives()
    await vi.waitFor(() => expect(hosts()).toHaveLength(1))
    const open = await readyDialog()
    expect([open.text('.tool'), open.text('.position')]).toEqual(['first', '1 of 2'])
    await click(open.approve)
    expect(answers.map(({ decision }) => decision)).toEqual([{ approved: true }, undefined])
    expect(new OpenDialog().text('.tool')).toBe('second')
  })

  test('does not ask what was withdrawn meanwhile', async () => {
    file.state = 'on its way'
    const stop = new AbortController()
    const answer = confirmDialog()(request({ signal: stop.signal }))
    const stays = watch(confirmDialog()(request({ toolName: 'stays' })))
    stop.abort()
    expect(await answer).toEqual({ approved: false, unanswered: 'the run was stopped' })
    file.arrives()
    await vi.waitFor(() => expect(hosts()).toHaveLength(1))
    expect([new OpenDialog().text('.tool'), new OpenDialog().text('.position')]).toEqual(['stays', ''])
    expect(stays.decision).toBeUndefined()
  })

  test('is waited for only until the timeout of the question', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    file.state = 'on its way'
    const answer = watch(confirmDialog({ timeoutMs: 2_000 })(request()))
    await vi.advanceTimersByTimeAsync(1_999)
    expect(answer.decision).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(answer.decision).toEqual({ approved: false, unanswered: 'nobody answered within 2 s' })
    file.arrives()
    await vi.advanceTimersByTimeAsync(0)
    expect(hosts()).toHaveLength(0)
  })
})

describe('a dialog that cannot be fetched', () => {
  test('denies, says why and what helps, and is fetched again for the next question', async () => {
    file.state = 'gone'
    const ask = confirmDialog()
    expect(await ask(request())).toEqual({
      approved: false,
      unanswered:
        'the dialog could not be loaded: Failed to fetch dynamically imported module: /q.js; it may help to reload the page',
    })
    file.state = 'there'
    const answer = watch(ask(request()))
    await click((await readyDialog()).approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('denies in the words of the app', async () => {
    file.state = 'gone'
    const ask = confirmDialog({ texts: { notLoaded: (why) => `weg (${why.slice(0, 6)})` } })
    expect(await ask(request())).toEqual({ approved: false, unanswered: 'weg (Failed)' })
  })
})
