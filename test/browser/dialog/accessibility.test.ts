import axe from 'axe-core'
import { afterEach, describe, expect, test } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { type OpenDialog, readyDialog, removeDialogs, request, sleep, watch } from './open-dialog.ts'

afterEach(() => {
  removeDialogs()
  document.documentElement.style.colorScheme = ''
})

const full = request({
  reasons: ['It sends data.', 'x'.repeat(900)],
  input: {
    to: 'alice\u200B@example.com',
    body: 'line\n'.repeat(100),
    nested: { list: [1, 'two', null] },
    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field_${index}`, index])),
  },
})

async function faults(): Promise<readonly string[]> {
  const { violations } = await axe.run('offstage-confirm')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

async function openDialog(): Promise<OpenDialog> {
  watch(confirmDialog()(full))
  watch(confirmDialog()(request()))
  return readyDialog()
}

describe('axe', () => {
  test.each(['light', 'dark'])('finds nothing in the %s dialog, folded or not', async (scheme) => {
    const open = await openDialog()
    open.host.style.colorScheme = scheme
    const { passes } = await axe.run('offstage-confirm')
    expect(passes.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['color-contrast', 'aria-dialog-name', 'button-name', 'label']),
    )
    expect(await faults()).toEqual([])
    for (const fold of open.root.querySelectorAll('details')) fold.open = true
    await sleep(50)
    expect(await faults()).toEqual([])
  })

  test('finds faults that are planted inside the shadow root', async () => {
    const open = await openDialog()
    open.get('label').remove()
    open.get('.tool').style.color = '#eee'
    open.host.style.colorScheme = 'light'
    const found = (await faults()).map((fault) => fault.split(':')[0])
    expect(found.sort()).toEqual(['color-contrast', 'label'])
  })
})

describe('a screen reader', () => {
  test('is told what the dialog, its text and its buttons are', async () => {
    const { dialog, root, approve, deny } = await openDialog()
    const textOf = (element: Element, attribute: string) =>
      (element.getAttribute(attribute) ?? '')
        .split(' ')
        .map((id) => root.getElementById(id)?.textContent)
        .join(' ')
    expect(dialog.getAttribute('role')).toBe('alertdialog')
    expect(textOf(dialog, 'aria-labelledby')).toBe('Allow this tool to run? send_email')
    expect(textOf(dialog, 'aria-describedby')).toContain('Send an e-mail.')
    expect(textOf(approve, 'aria-labelledby')).toBe('Approve send_email')
    expect(textOf(deny, 'aria-describedby')).toBe('Allow this tool to run? send_email')
  })
})

describe('the look', () => {
  test('follows color-scheme and custom properties that the app sets on the element', async () => {
    const style = document.head.appendChild(document.createElement('style'))
    const open = await openDialog()
    const background = () => getComputedStyle(open.dialog).backgroundColor
    style.textContent = 'offstage-confirm { color-scheme: dark }'
    expect(background()).toBe('rgb(27, 30, 36)')
    style.textContent = 'offstage-confirm { color-scheme: light }'
    expect(background()).toBe('rgb(255, 255, 255)')
    style.textContent = 'offstage-confirm { --offstage-surface: rgb(1, 2, 3) }'
    expect(background()).toBe('rgb(1, 2, 3)')
    style.textContent = 'offstage-confirm::part(dialog) { background: rgb(4, 5, 6) }'
    expect(background()).toBe('rgb(4, 5, 6)')
    style.remove()
  })
})
