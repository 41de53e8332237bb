import { afterEach, describe, expect, test, vi } from 'vitest'
import { buttonNamed } from './edit-input.ts'
import { readyDialog, removeDialogs, request, watch } from './open-dialog.ts'
import { click } from './real-input.ts'

const loading = vi.hoisted(() => ({ fails: true }))

// The file of the editor, as an app would fetch it when Edit is pressed for the first time.
vi.mock(import('../../../src/dialog/input-editor.ts'), async (load) => {
  const real = await load()
  return {
    ...real,
    startEditing: (options) => {
      if (loading.fails) throw new Error('Failed to fetch <b>it</b>\u202E')
      return real.startEditing(options)
    },
  }
})

const { confirmDialog } = await import('../../../src/dialog/confirm-dialog.ts')

afterEach(() => {
  removeDialogs()
  loading.fails = true
})

describe('an editor that cannot be loaded', () => {
  test('says so beside the input, which can be approved as it is', async () => {
    const answer = watch(confirmDialog()(request()))
    const open = await readyDialog()
    await click(open.get('[part~=edit]'))
    const sentence = 'The form could not be loaded: Failed to fetch <b>it</b>U+202E'
    await vi.waitFor(() => expect(open.text('.details')).toContain(sentence), { timeout: 10_000 })
    expect(open.text('.fields')).toContain('alice@example.com')
    await vi.waitFor(() => expect(open.approve.ariaDisabled).toBeNull())
    await click((await readyDialog()).approve)
    expect(answer.decision).toEqual({ approved: true })
  })

  test('can be tried again', async () => {
    watch(confirmDialog()(request()))
    const open = await readyDialog()
    await click(open.get('[part~=edit]'))
    await vi.waitFor(() => buttonNamed(open.root, 'Try again'), { timeout: 10_000 })
    loading.fails = false
    await click(buttonNamed(open.root, 'Try again'))
    await vi.waitFor(() => open.get('.editor'), { timeout: 10_000 })
    expect(open.text('.details')).not.toContain('could not be loaded')
  })

  test('leaves no way to approve without the fields of the person, but one to deny', async () => {
    const userFields = { type: 'object', properties: { name: { type: 'string' } } }
    const answer = watch(confirmDialog()(request({ userFields })))
    const open = await readyDialog()
    await vi.waitFor(() => expect(open.text('.details')).toContain('could not be loaded'), {
      timeout: 10_000,
    })
    expect(open.approve.ariaDisabled).toBe('true')
    expect(open.text('.blocked')).not.toBe('')
    await click(open.approve)
    expect(answer.decision).toBeUndefined()
    await click(open.deny)
    await vi.waitFor(() => expect(answer.decision).toEqual({ approved: false }))
  })
})
