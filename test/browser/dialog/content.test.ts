import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { dialogTextsZh } from '../../../src/dialog/dialog-texts-zh.ts'
import type { ApprovalRequest } from '../../../src/execution/approval.ts'
import { OpenDialog, readyDialog, removeDialogs, request, sleep, watch } from './open-dialog.ts'
import { click, press } from './real-input.ts'

afterEach(async () => {
  removeDialogs()
  await page.viewport(414, 896)
})

function show(changes: Partial<ApprovalRequest>): OpenDialog {
  watch(confirmDialog()(request(changes)))
  return new OpenDialog()
}

function rows(open: OpenDialog): (readonly [string, string])[] {
  return [...open.root.querySelectorAll('.field')].map((field) => {
    const text = (tag: string) => (field.querySelector(tag) as HTMLElement).textContent
    return [text('dt'), text('dd')]
  })
}

describe('the dialog shows', () => {
  test('tool, origin, description and reasons', () => {
    const open = show({ reasons: ['It sends data.', 'It was asked for by a page.'] })
    expect(open.text('.tool')).toBe('send_email')
    expect(open.text('.origin')).toBe('From MCP server mail')
    expect(open.text('[part=description]')).toBe('Send an e-mail.')
    expect(open.text('.reasons ul').trim()).toBe('It sends data.\nIt was asked for by a page.')
  })

  test.each([
    ['app', 'From this app'],
    ['builtin', 'From this app (built in)'],
    ['webmcp:https://example.com', 'From page https://example.com'],
    ['foreign:crm', 'From another library: crm'],
  ] as const)('the origin %s in words', (origin, words) => {
    expect(show({ origin }).text('.origin')).toBe(words)
  })

  test('one row for each field, a text told from what only looks like it', () => {
    const open = show({
      input: { number: 5, text: '5', nothing: null, empty: '', yes: true, list: [], object: {} },
    })
    expect(rows(open)).toEqual([
      ['number', '5'],
      ['text', '"5"'],
      ['nothing', 'null'],
      ['empty', '""'],
      ['yes', 'true'],
      ['list', '[]'],
      ['object', '{}'],
    ])
  })

  test('nested values as indented JSON', () => {
    const value = { a: [1, 'two', { three: null }], b: {} }
    expect(rows(show({ input: { value } }))).toEqual([['value', JSON.stringify(value, null, 2)]])
  })

  test('that there is no input', () => {
    expect(show({ input: {} }).text('.details')).toContain('No input.')
  })

  test('markup as text', () => {
    const markup = '<img src=x onerror=alert(1)><b>bold</b>'
    const open = show({
      toolName: markup,
      description: markup,
      reasons: [markup],
      input: { [markup]: markup },
    })
    expect(open.root.querySelector('img, b')).toBeNull()
    expect(rows(open)).toEqual([[markup, `"${markup}"`]])
  })
})

describe('what cannot be seen', () => {
  test('is marked wherever it stands', () => {
    const hidden = 'a\u202Eb'
    const open = show({
      toolName: hidden,
      origin: `mcp:${hidden}`,
      description: hidden,
      reasons: [hidden],
      input: { [hidden]: hidden, nested: { [hidden]: [hidden] } },
    })
    expect(open.dialog.textContent).not.toContain('\u202E')
    const marks = [...open.root.querySelectorAll('.mark')].map((mark) => mark.textContent)
    expect(marks).toEqual(Array.from({ length: 8 }, () => 'U+202E'))
  })

  test('does not reorder the brackets and names around right-to-left text', () => {
    const open = show({ input: { value: { first: 'אבג', second: 'דהו', third: 'זחט' } } })
    const strings = [...open.root.querySelectorAll('.json bdi')].map((text) => text.getBoundingClientRect())
    // Name, value, name, value …: each value is right of its name, on the same line.
    for (let index = 0; index < strings.length; index += 2) {
      const [name, value] = [strings[index] as DOMRect, strings[index + 1] as DOMRect]
      expect(value.left).toBeGreaterThan(name.right)
      expect(Math.abs(value.top - name.top)).toBeLessThan(4)
    }
    expect(strings).toHaveLength(6)
  })
})

describe('what is long', () => {
  const long = `${Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n')}\u200B`

  test('is folded with its size, and complete once it is unfolded', async () => {
    const open = show({ input: { body: long } })
    const value = open.get('dd')
    expect(open.text('dd')).toContain('line 0')
    expect(open.text('dd')).toContain('line 299')
    expect(open.text('dd')).not.toContain('line 150')
    expect(open.text('dd summary')).toBe(`Show all ${long.length.toLocaleString('en')} characters`)
    await click(open.get('dd summary'))
    await sleep(50)
    const shown = (value.querySelector('details > div') as HTMLElement).textContent
    expect(shown).toBe(`"${long.replaceAll('\n', '↵').replace('\u200B', 'U+200B')}"`)
    expect(open.get('.preview').hidden).toBe(true)
  })

  test('is unfolded with the keyboard too', async () => {
    const open = show({ input: { list: Array.from({ length: 1_000 }, (_, index) => index) } })
    open.get('dd summary').focus()
    await press('Enter')
    await sleep(50)
    expect(JSON.parse(open.get('.json').textContent)).toHaveLength(1_000)
  })

  test('as a list of fields or reasons is folded with the number of the rest', async () => {
    const input = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, index]))
    const open = show({ input, reasons: Array.from({ length: 40 }, (_, index) => `reason ${index}`) })
    expect(rows(open)).toHaveLength(12)
    expect(open.root.querySelectorAll('li')).toHaveLength(6)
    const folds = [...open.root.querySelectorAll('summary')]
    expect(folds.map((fold) => fold.textContent)).toEqual(['Show 34 more', 'Show 4,988 more'])
    for (const fold of folds) await click(fold)
    await sleep(100)
    expect(rows(open)).toHaveLength(5_000)
    expect(open.root.querySelectorAll('li')).toHaveLength(40)
  })

  test('opens at once, whatever its size', () => {
    const text = 'a\u200B'.repeat(500_000)
    const before = performance.now()
    const open = show({
      description: text,
      input: { text, list: Array.from({ length: 200_000 }, () => 'a') },
    })
    // A hang guard: unfolded at once, this would be more than a million elements.
    expect(performance.now() - before).toBeLessThan(10_000)
    expect(open.root.querySelectorAll('*').length).toBeLessThan(2_000)
  })
})

test.each([
  [1280, 800],
  [390, 844],
  [320, 480],
  [320, 240],
])('nothing that a caller sends pushes the buttons out of a page of %i by %i', async (width, height) => {
  await page.viewport(width, height)
  // Not every engine has resized the page when Vitest says so.
  await vi.waitFor(() => expect([window.innerWidth, window.innerHeight]).toEqual([width, height]))
  const open = show({
    toolName: 'x'.repeat(64),
    origin: `webmcp:https://${'long.'.repeat(60)}example`,
    description: `${'\n'.repeat(400)}${'wide'.repeat(100)}`,
    reasons: Array.from({ length: 50 }, () => 'reason '.repeat(30)),
    input: {
      [`key${'k'.repeat(300)}`]: 'v'.repeat(450),
      zalgo: `a${'\u0301'.repeat(200)}`,
      spaces: ' '.repeat(300),
    },
  })
  for (const fold of open.root.querySelectorAll<HTMLDetailsElement>('details')) fold.open = true
  await sleep(100)
  for (const button of [open.deny, open.approve]) {
    const { left, right, top, bottom } = button.getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(top).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(width)
    expect(bottom).toBeLessThanOrEqual(height)
    const found = open.root.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    expect(button.contains(found)).toBe(true)
  }
  const details = open.get('.details')
  expect(details.scrollWidth).toBe(details.clientWidth)
  expect(details.scrollHeight).toBeGreaterThan(details.clientHeight)
})

test('the Chinese texts are shown, and told to the model', async () => {
  const ask = confirmDialog({ texts: dialogTextsZh })
  const answer = ask(request({ input: { text: '字'.repeat(1_000) } }))
  watch(ask(request()))
  const open = await readyDialog()
  expect(open.dialog.lang).toBe('zh')
  expect(open.text('h2')).toBe(dialogTextsZh.title)
  expect(open.text('.position')).toBe('第 1 个，共 2 个')
  expect([open.deny.textContent, open.approve.textContent]).toEqual(['拒绝', '批准'])
  const english = [
    ...open.root.querySelectorAll('h2, h3, label, button:not(.row), option, summary, .gap, .position'),
  ]
  for (const { textContent } of english) expect(textContent).not.toMatch(/[a-z]/i)
  open.host.remove()
  expect(await answer).toEqual({ approved: false, unanswered: dialogTextsZh.removed })
})

test('one text can be replaced alone', () => {
  watch(confirmDialog({ texts: { approve: 'Run it' } })(request()))
  const open = new OpenDialog()
  expect([open.approve.textContent, open.deny.textContent]).toEqual(['Run it', 'Deny'])
})
