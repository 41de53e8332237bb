import axe from 'axe-core'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { dialogTextsZh } from '../../../src/dialog/dialog-texts-zh.ts'
import {
  type ElicitationQuestion,
  type ElicitationReply,
  type ElicitDialogOptions,
  elicitDialog,
} from '../../../src/dialog/elicit-dialog.ts'
import type { JsonObject } from '../../../src/tool/json-value.ts'
import { choose, controlOf, fieldOf } from './edit-input.ts'
import { hosts, OpenDialog, readyDialog, removeDialogs, request, sleep, watch } from './open-dialog.ts'
import { click, hold, press, release, type } from './real-input.ts'

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Your name', description: 'As on the ticket.', minLength: 2 },
    email: { type: 'string', format: 'email' },
    seats: { type: 'integer', minimum: 1, maximum: 4, default: 2 },
    newsletter: { type: 'boolean', default: false },
    color: {
      type: 'string',
      oneOf: [
        { const: '#f00', title: 'Red' },
        { const: '#00f', title: 'Blue' },
      ],
      default: '#00f',
    },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    extras: { type: 'array', items: { type: 'string', enum: ['meal', 'bag'] } },
  },
  required: ['name', 'seats'],
}

interface Asked {
  reply?: ElicitationReply
  error?: unknown
}

function ask(
  question: Partial<ElicitationQuestion> = {},
  options: ElicitDialogOptions = {},
): { readonly asked: Asked; readonly stop: AbortController } {
  const stop = new AbortController()
  const asked: Asked = {}
  const what = 'url' in question ? {} : { requestedSchema }
  void elicitDialog(options)({
    ...{ message: 'Who <b>travels</b>?\u202E', signal: stop.signal, origin: 'mcp:trains' },
    ...{ ...what, ...question },
  }).then(
    (reply) => {
      asked.reply = reply
    },
    (error: unknown) => {
      asked.error = error
    },
  )
  return { asked, stop }
}

async function dialogShown(): Promise<OpenDialog> {
  await vi.waitFor(() => expect(hosts()).toHaveLength(1), { timeout: 10_000 })
  return readyDialog()
}

const acceptOf = (open: OpenDialog) => open.get<HTMLButtonElement>('.accept')

async function send(open: OpenDialog): Promise<void> {
  await vi.waitFor(() => expect(acceptOf(open).ariaDisabled).toBeNull(), { timeout: 5_000 })
  await sleep(400)
  await click(acceptOf(open))
}

const replied = (asked: Asked, reply: ElicitationReply) =>
  vi.waitFor(() => expect(asked).toEqual({ reply }), { timeout: 5_000 })

afterEach(() => {
  removeDialogs()
})

describe('a form', () => {
  test('names the server, shows its words letter for letter, and sends what was filled in', async () => {
    const { asked } = ask()
    const open = await dialogShown()
    expect(open.text('#title')).toBe('A server asks you for information')
    expect(open.text('#server')).toBe('trains')
    expect(open.text('#about')).toBe('Who <b>travels</b>?U+202E')
    expect(fieldOf(open, 'name').textContent).toContain('Your name – As on the ticket.')
    await type(controlOf(open, 'name'), 'Ada')
    await send(open)
    const content = { name: 'Ada', seats: 2, newsletter: false, color: '#00f' }
    await replied(asked, { action: 'accept', content })
  })

  test('has the defaults filled in, and the choices by what they are called and what is sent', async () => {
    const { asked } = ask()
    const open = await dialogShown()
    const options = (name: string) =>
      [...controlOf<HTMLSelectElement>(open, name).options].map((option) => option.text)
    expect(controlOf(open, 'seats').value).toBe('2')
    expect(controlOf(open, 'newsletter').checked).toBe(false)
    expect(options('color')).toEqual(['not set', 'Red (#f00)', 'Blue (#00f)'])
    expect(options('size')).toEqual(['not set', 'Small (s)', 'Large (l)'])
    await type(controlOf(open, 'name'), 'Al')
    choose(controlOf(open, 'color'), 'Red (#f00)')
    choose(controlOf(open, 'size'), 'Large (l)')
    await click(fieldOf(open, 'extras').querySelector('.list > button') as HTMLElement)
    choose(controlOf(open, 'extras'), 'bag')
    await click(controlOf(open, 'newsletter'))
    await send(open)
    const content = { name: 'Al', seats: 2, newsletter: true, color: '#f00', size: 'l', extras: ['bag'] }
    await replied(asked, { action: 'accept', content })
  })

  test('sends nothing that is missing or wrong, and says what is', async () => {
    const { asked } = ask()
    const open = await dialogShown()
    const blocked = (words: RegExp | string) =>
      vi.waitFor(() => expect(open.text('.blocked')).toMatch(words), { timeout: 5_000 })
    await blocked('Fill in the required fields first.')
    await click(acceptOf(open))
    await type(controlOf(open, 'name'), 'Ada')
    await type(controlOf(open, 'email'), 'nobody')
    await blocked('The input has a problem.')
    expect(fieldOf(open, 'email').querySelector('.problems')?.textContent).not.toBe('')
    await click(acceptOf(open))
    expect(asked).toEqual({})
    await type(controlOf(open, 'email'), '@example.org')
    await send(open)
    await vi.waitFor(() => expect(asked.reply?.content).toMatchObject({ email: 'nobody@example.org' }))
  })

  test('is not sent by Enter in a field, by a key that was held, or too early', async () => {
    const { asked } = ask({ requestedSchema: { type: 'object', properties: { note: { type: 'string' } } } })
    await vi.waitFor(() => expect(hosts()).toHaveLength(1), { timeout: 10_000 })
    acceptOf(new OpenDialog()).focus()
    await press('Enter')
    acceptOf(new OpenDialog()).click()
    const open = await readyDialog()
    controlOf(open, 'note').focus()
    await press('Enter')
    await hold('Enter')
    acceptOf(open).focus()
    await hold('Enter')
    await release('Enter')
    expect(asked).toEqual({})
    await press('Enter')
    await replied(asked, { action: 'accept', content: {} })
  })

  test('has no button in focus at first', async () => {
    const { asked } = ask()
    const open = await dialogShown()
    expect(open.root.activeElement).toBe(open.get('.details'))
    await press('Enter', ' ')
    expect(asked).toEqual({})
  })

  test.each([
    ['.decline', 'decline'],
    ['.cancel', 'cancel'],
  ] as const)('is answered with %s: %s', async (button, action) => {
    const { asked } = ask()
    await click((await dialogShown()).get(button))
    await replied(asked, { action })
    expect(hosts()).toHaveLength(0)
  })

  test('is cancelled with Escape, by an abort, by the timeout and by its removal', async () => {
    const first = ask()
    await dialogShown()
    await press('Escape')
    await replied(first.asked, { action: 'cancel' })
    const second = ask()
    await dialogShown()
    second.stop.abort()
    await replied(second.asked, { action: 'cancel' })
    await replied(ask({}, { timeoutMs: 50 }).asked, { action: 'cancel' })
    const removed = ask()
    await dialogShown()
    removeDialogs()
    await replied(removed.asked, { action: 'cancel' })
    expect(hosts()).toHaveLength(0)
  })

  test.each([
    ['an object in it', { properties: { a: { type: 'object' } } }, 'asks for "a"'],
    ['a key that reaches a prototype', { properties: { constructor: { type: 'string' } } }, '"constructor"'],
    [
      'too many fields',
      { properties: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, { type: 'string' }])) },
      '51 fields',
    ],
  ])('with %s is not asked', async (_what, schema, words) => {
    const { asked } = ask({ requestedSchema: schema as JsonObject })
    await vi.waitFor(() => expect(asked.error).toBeInstanceOf(Error), { timeout: 10_000 })
    expect(String(asked.error)).toContain(words)
    expect(hosts()).toHaveLength(0)
  })

  test('does not run the patterns of a server', async () => {
    const note = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(40)}!` }
    const { asked } = ask({ requestedSchema: { type: 'object', properties: { note } } })
    await send(await dialogShown())
    await replied(asked, { action: 'accept', content: { note: note.default } })
  })

  test('speaks Chinese, and the words of the app', async () => {
    ask(
      {},
      { texts: { ...dialogTextsZh, elicit: { ...dialogTextsZh.elicit, send: '提交' } }, server: '火车' },
    )
    const open = await dialogShown()
    expect(open.text('#title')).toBe('服务器请您提供信息')
    expect([open.text('#server'), open.text('.accept')]).toEqual(['火车', '提交'])
    expect(open.dialog.lang).toBe('zh')
  })
})

describe('an address', () => {
  const opened = vi.fn()

  beforeEach(() => {
    opened.mockReset()
    const spy = vi.spyOn(window, 'open').mockImplementation((...given) => {
      opened(...given)
      return null
    })
    onTestFinished(() => spy.mockRestore())
  })

  test('is shown whole, with its host before all else, and opened by a click without a way back', async () => {
    const url = 'https://login.example.org:8443/a/b?next=%2Fc&x=1#d'
    const { asked } = ask({ url })
    const open = await dialogShown()
    expect(open.text('#title')).toBe('A server asks you to open a page')
    expect(open.get('.address').textContent).toBe(url)
    expect(open.text('.address strong')).toBe('login.example.org:8443')
    expect(opened).not.toHaveBeenCalled()
    await click(acceptOf(open))
    expect(opened.mock.calls).toEqual([[url, '_blank', 'noopener,noreferrer']])
    await replied(asked, { action: 'accept' })
  })

  test('is not opened by a script, too early, or with any other answer', async () => {
    const { asked } = ask({ url: 'https://example.org/' })
    await vi.waitFor(() => expect(hosts()).toHaveLength(1), { timeout: 10_000 })
    acceptOf(new OpenDialog()).click()
    const open = await readyDialog()
    acceptOf(open).click()
    acceptOf(open).dispatchEvent(new MouseEvent('click', { bubbles: true }))
    await click(open.get('.decline'))
    await replied(asked, { action: 'decline' })
    expect(opened).not.toHaveBeenCalled()
  })

  test('of letters that look like others is shown as it is written and as it reads', async () => {
    ask({ url: 'https://www.аррӏе.com/' })
    const open = await dialogShown()
    expect(open.text('.address')).toBe('https://www.xn--80ak6aa92e.com/')
    expect(open.text('.address + .warning')).toBe(
      'The name reads www.аррӏе.com. Its letters can look like those of another name.',
    )
  })

  test.each([
    'http://example.org/',
    'http://127.0.0.1/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'ms-x:y',
    'https://bank.example@evil.example/',
    'no address',
  ])('I15: %s is not shown and not opened', async (url) => {
    const { asked } = ask({ url })
    await vi.waitFor(() => expect(asked.error).toBeInstanceOf(Error), { timeout: 10_000 })
    expect(hosts()).toHaveLength(0)
    expect(opened).not.toHaveBeenCalled()
  })
})

test('waits behind the question of another dialog, and is listed there', async () => {
  const allowed = watch(confirmDialog()(request()))
  const { asked } = ask({ requestedSchema: { type: 'object', properties: {} } })
  await vi.waitFor(() => expect(new OpenDialog().text('.position')).toBe('1 of 2'), { timeout: 10_000 })
  const first = await readyDialog()
  expect(first.text('.waiting')).toContain('A server asks')
  expect(first.text('.waiting')).toContain('trains')
  await click(first.approve)
  await vi.waitFor(() => expect(allowed.decision).toEqual({ approved: true }))
  const second = await readyDialog()
  expect(second.text('.position')).toBe('2 of 2')
  await send(second)
  await replied(asked, { action: 'accept', content: {} })
})

test.each([
  ['form', 'light', {}],
  ['form', 'dark', {}],
  ['address', 'light', { url: 'https://аррӏе.com/a' }],
  ['address', 'dark', { url: 'https://аррӏе.com/a' }],
])('axe finds nothing in the %s, %s', async (_what, scheme, question) => {
  ask(question)
  const open = await dialogShown()
  open.host.style.colorScheme = scheme
  const { violations, passes } = await axe.run('offstage-confirm')
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  expect(passes.map(({ id }) => id)).toEqual(expect.arrayContaining(['color-contrast', 'button-name']))
  const name = open.dialog.getAttribute('aria-labelledby')?.split(' ') ?? []
  expect(name.map((id) => open.text(`#${id}`)).join(' ')).toMatch(/^A server asks you .* trains$/)
})

test('wrong options are found at once', () => {
  expect(() => elicitDialog({ timeout: 5 } as never)).toThrow(
    /elicitDialog\(\): there is no option "timeout"/,
  )
  expect(() => elicitDialog({ texts: { accept: 'x' } as never })).toThrow(/elicitDialog\(\), texts/)
})
