import axe from 'axe-core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import { choose, controlOf, openEditor, paste, showAs } from './edit-input.ts'
import { OpenDialog, readyDialog, removeDialogs, request, sleep, watch } from './open-dialog.ts'
import { press } from './real-input.ts'

afterEach(async () => {
  removeDialogs()
  document.documentElement.style.fontSize = ''
  await page.viewport(414, 896)
})

const text = { type: 'string' }
const address = { type: 'object', properties: { city: text } }
const full: ApprovalRequest = request({
  input: {
    to: 'ada\u200B@example.com',
    copies: 2,
    urgent: true,
    layout: 'circle',
    tags: ['a', 'b'],
    contact: { name: 'Kim', address: { city: 'Oslo' } },
    more: { any: [1] },
  },
  inputSchema: {
    type: 'object',
    required: ['to', 'copies'],
    properties: {
      to: { ...text, description: 'Where it goes.' },
      copies: { type: 'integer' },
      urgent: { type: 'boolean' },
      layout: { enum: ['circle', 'row'] },
      tags: { type: 'array', items: text },
      contact: { type: 'object', properties: { name: text, address } },
      stay: { type: 'object', properties: { nights: { type: 'integer' } } },
      absent: { type: 'boolean' },
    },
  },
  mayRemember: ['session', 'always'],
  check: async () => [
    { path: 'copies', message: 'too many' },
    { path: '', message: 'not now' },
  ],
})

async function faults(): Promise<readonly string[]> {
  const { violations } = await axe.run('offstage-confirm')
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}

/** The dialog with nearly everything in it: a list, an edit that is wrong, a wide yes. */
async function openFull(scheme = 'light'): Promise<OpenDialog> {
  const { open } = await openEditor(full)
  watch(confirmDialog()(request({ toolName: 'second' })))
  open.host.style.colorScheme = scheme
  paste(controlOf(open, 'copies'), '2000')
  await vi.waitFor(() => expect(open.root.querySelectorAll('.summary li')).toHaveLength(2))
  choose(open.get('#remember'), 'Always, until you revoke it')
  choose(open.get('#remember-for'), 'Every call of this tool')
  return open
}

describe('axe', () => {
  test.each(['light', 'dark'])('finds nothing in the %s editor, as a form and as JSON', async (scheme) => {
    const open = await openFull(scheme)
    expect(await faults()).toEqual([])
    await showAs(open, 'json')
    await vi.waitFor(() => expect(open.root.querySelectorAll('.summary li')).toHaveLength(2))
    expect(await faults()).toEqual([])
  })

  test.each(['light', 'dark'])('finds nothing in the %s form of the person', async (scheme) => {
    const userFields = {
      type: 'object',
      required: ['name'],
      properties: { name: text, tags: { type: 'array', items: text } },
    }
    watch(confirmDialog()({ ...full, userFields }))
    const open = await readyDialog()
    open.host.style.colorScheme = scheme
    await vi.waitFor(() => expect(open.text('.blocked')).not.toBe(''))
    await vi.waitFor(() => open.get('.form'), { timeout: 10_000 })
    expect(await faults()).toEqual([])
  })
})

describe.each([
  [1280, 800, ''],
  [640, 600, ''],
  [320, 640, ''],
  [320, 480, ''],
  [320, 240, ''],
  [1280, 800, '200%'],
  [640, 800, '200%'],
])('on a page of %i by %i with text of %s', (width, height, fontSize) => {
  test('all of it can be reached, and the answers and the warning are in sight', async () => {
    await page.viewport(width, height)
    await vi.waitFor(() => expect([window.innerWidth, window.innerHeight]).toEqual([width, height]))
    document.documentElement.style.fontSize = fontSize
    const open = await openFull()
    await sleep(50)
    for (const button of [open.deny, open.approve]) {
      const { left, right, top, bottom } = button.getBoundingClientRect()
      expect(left).toBeGreaterThanOrEqual(0)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(right).toBeLessThanOrEqual(width)
      expect(bottom).toBeLessThanOrEqual(height)
      const found = open.root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      expect(button.contains(found)).toBe(true)
    }
    for (const selector of ['dialog', '.details', '.waiting']) {
      const part = open.get(selector)
      expect(part.scrollWidth).toBe(part.clientWidth)
    }
    for (const part of open.root.querySelectorAll<HTMLElement>('input, select, textarea, button')) {
      if (!part.checkVisibility()) continue
      part.scrollIntoView({ block: 'center' })
      const { left, right, top, bottom } = part.getBoundingClientRect()
      const found = open.root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      expect(part.contains(found), part.outerHTML).toBe(true)
    }
  })
})

test('Tab goes through list, details, fields, note, how long, and then the answers', async () => {
  const open = await openFull()
  open.get('.row').focus()
  const reached: string[] = []
  for (let times = 0; times < 60 && open.root.activeElement !== open.approve; times += 1) {
    const active = open.root.activeElement
    reached.push(active?.id.startsWith('field') ? 'field' : active?.className || active?.id || '?')
    await press('Tab')
  }
  // Firefox also stops at what could scroll by a fraction of a pixel.
  const stops = reached.filter((name) => name !== 'tool')
  const order = stops.filter((name, index) => name !== stops[index - 1])
  expect(order.slice(0, 2)).toEqual(['row', 'details'])
  expect(order.slice(-4)).toEqual(['reason', 'remember', 'remember-for', 'deny'])
  expect(order).toContain('field')
  expect(new OpenDialog().root.activeElement).toBe(open.approve)
})

test('no element has a style attribute, and nothing was parsed as markup', async () => {
  const open = await openFull()
  expect(open.root.querySelector('[style], style, script')).toBeNull()
})
