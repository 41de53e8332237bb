import axe from 'axe-core'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { defineGrantsElement, type GrantsElement, grantsElement } from '../../../src/dialog/grants-element.ts'
import { grantsTextsZh } from '../../../src/dialog/grants-texts-zh.ts'
import { Grants, type NewGrant } from '../../../src/execution/grants.ts'
import { indexedDBStore } from '../../../src/storage/indexeddb-store.ts'
import type { KeyValueStore } from '../../../src/storage/key-value.ts'
import { memoryStore } from '../../../src/storage/memory-store.ts'
import { click, press } from './real-input.ts'

afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

const mail = {
  origin: 'mcp:mail',
  toolName: 'send_email',
  fingerprint: 'f1',
  scope: 'input',
  duration: 'always',
  input: { to: 'alice@example.com', copies: 2 },
} as const satisfies NewGrant
const notes = {
  origin: 'app',
  toolName: 'notes',
  fingerprint: 'f1',
  scope: 'tool',
  duration: 'session',
} as const satisfies NewGrant
const weather = { ...notes, toolName: 'weather', origin: 'builtin' } as const satisfies NewGrant

/** Grants with so many in them; the first is shown first. */
async function grantsWith(...given: readonly NewGrant[]): Promise<Grants> {
  const grants = new Grants({ store: memoryStore() })
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 30, 10, 12), toFake: ['Date'] })
  for (const [index, each] of given.toReversed().entries()) {
    vi.setSystemTime(Date.UTC(2026, 10, 30, 10, 12, index))
    await grants.add(each)
  }
  vi.useRealTimers()
  return grants
}

/** The element on the page. */
class Shown {
  readonly element: GrantsElement

  constructor(element: GrantsElement) {
    this.element = element
    document.body.append(element)
  }

  get root(): ShadowRoot {
    return this.element.shadowRoot as ShadowRoot
  }

  get rows(): readonly HTMLElement[] {
    return [...this.root.querySelectorAll<HTMLElement>('.grant')]
  }

  get tools(): readonly string[] {
    return this.rows.map((row) => row.querySelector('.tool')?.textContent ?? '')
  }

  get(part: string): HTMLElement {
    const found = this.root.querySelector<HTMLElement>(`[part~="${part}"]`)
    if (found === null) throw new Error(`There is no ${part}.`)
    return found
  }

  revoke(index: number): HTMLButtonElement {
    return this.rows[index]?.querySelector('button') as HTMLButtonElement
  }

  /** Waits until these tools are listed. */
  async lists(...tools: readonly string[]): Promise<void> {
    await vi.waitFor(() => {
      expect(this.tools).toEqual(tools)
      expect(this.get('empty').hidden).toBe(tools.length > 0)
    })
  }

  get text(): string {
    return visibleText(this.get('section'))
  }
}

/** The text that can be read, as it is laid out. */
function visibleText(element: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: what is folded or hidden does not count.
  return element.innerText
}

describe('the list', () => {
  test('says of each grant which tool, whose, for what, for how long and since when', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith(mail, notes) }))
    await shown.lists('send_email', 'notes')
    const [first, second] = shown.rows.map((row) => visibleText(row).replace(/\s+/g, ' '))
    expect(first).toMatch(
      /send_email Revoke From MCP server mail Exactly this input to "alice@example.com" copies 2 Always, until you revoke it · Allowed Nov 30, 2026/,
    )
    expect(second).toMatch(/notes Revoke From this app Every call of this tool While this page is open · /)
    expect(shown.root.querySelector('time')?.dateTime).toBe('2026-11-30T10:12:01.000Z')
    expect(shown.get('warning').hidden).toBe(true)
  })

  test('explains itself when it is empty', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith() }))
    await shown.lists()
    expect(shown.text).toContain('Nothing is allowed without asking.')
    expect(shown.get('revoke-all').hidden).toBe(true)
  })

  test('shows names and inputs as they are, never as markup', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202Egnp'
    const grants = await grantsWith({
      ...mail,
      toolName: hostile,
      origin: `mcp:${hostile}`,
      input: { [hostile]: hostile },
    })
    const shown = new Shown(grantsElement({ grants }))
    await vi.waitFor(() => expect(shown.rows).toHaveLength(1))
    expect(shown.root.querySelector('img')).toBeNull()
    expect(shown.text.split('<img src=x onerror=alert(1)>').length - 1).toBe(4)
    expect(shown.text).toContain('U+202E')
    shown.revoke(0).click()
    await shown.lists()
    expect(shown.get('status').textContent).toContain('<img src=x onerror=alert(1)>')
    expect(shown.root.querySelector('img')).toBeNull()
  })

  test('warns when the browser keeps nothing', async () => {
    const fail = () => Promise.reject(new Error('no'))
    const store: KeyValueStore = { get: fail, update: fail, entries: fail, delete: fail }
    const grants = new Grants({ store })
    await grants.add(mail)
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email')
    expect(shown.get('warning').hidden).toBe(false)
    expect(shown.text).toContain('only while this page is open')
    expect(shown.rows[0]?.textContent).toContain('While this page is open')
  })

  test('is told in Chinese, or with single texts replaced', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith(mail), texts: grantsTextsZh }))
    await shown.lists('send_email')
    expect(shown.get('section').lang).toBe('zh')
    expect(shown.text).toMatch(/无需询问即可运行[\s\S]*撤销/)
    shown.element.texts = { title: 'Permissions' }
    await shown.lists('send_email')
    expect(shown.text).toMatch(/^Permissions[\s\S]*Revoke all/)
  })
})

describe('revoking', () => {
  test('ends one grant with a click, says so, and leaves the others', async () => {
    const grants = await grantsWith(mail, notes)
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email', 'notes')
    await click(shown.revoke(0))
    await shown.lists('notes')
    expect((await grants.list()).map(({ toolName }) => toolName)).toEqual(['notes'])
    expect(shown.get('status').textContent).toBe('Revoked: send_email')
    expect(shown.get('status').getAttribute('role')).toBe('status')
  })

  test('ends all of them with one button', async () => {
    const grants = await grantsWith(mail, notes, weather)
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email', 'notes', 'weather')
    await click(shown.get('revoke-all'))
    await shown.lists()
    expect(await grants.list()).toEqual([])
    expect(shown.get('status').textContent).toBe('Everything is revoked.')
  })

  test('works with the keyboard, and the focus goes on to the next, the one before, the heading', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith(mail, notes, weather) }))
    await shown.lists('send_email', 'notes', 'weather')
    shown.revoke(1).focus()
    await press('Enter')
    await shown.lists('send_email', 'weather')
    expect(shown.root.activeElement).toBe(shown.revoke(1))
    await press(' ')
    await shown.lists('send_email')
    expect(shown.root.activeElement).toBe(shown.revoke(0))
    await press('Enter')
    await shown.lists()
    expect(shown.root.activeElement).toBe(shown.get('title'))
  })

  test('all at once hands the focus to the heading', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith(mail, notes) }))
    await shown.lists('send_email', 'notes')
    shown.get('revoke-all').focus()
    await press('Enter')
    await shown.lists()
    expect(shown.root.activeElement).toBe(shown.get('title'))
  })

  test('elsewhere takes no focus that is elsewhere, and keeps the one in another row', async () => {
    const grants = await grantsWith(mail, notes)
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email', 'notes')
    shown.revoke(1).focus()
    const [first, second] = await grants.list()
    await grants.revoke(first?.id ?? '')
    await shown.lists('notes')
    expect(shown.root.activeElement).toBe(shown.revoke(0))
    shown.revoke(0).blur()
    await grants.revoke(second?.id ?? '')
    await shown.lists()
    expect(shown.root.activeElement).toBeNull()
  })

  test('says when the storage failed, keeps what still holds, and can be tried again', async () => {
    const store = memoryStore()
    let broken = false
    const orFail = <T>(done: () => Promise<T>) => (broken ? Promise.reject(new Error('disk')) : done())
    const grants = new Grants({
      store: {
        ...store,
        update: (key, change) => orFail(() => store.update(key, change)),
        delete: (key) => orFail(() => store.delete(key)),
      },
    })
    await grants.add(mail)
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email')
    broken = true
    for (const button of [shown.revoke(0), shown.get('revoke-all')]) {
      button.click()
      await vi.waitFor(() => expect(shown.get('status').textContent).toContain('did not work'))
      expect(shown.get('status').classList).toContain('failed')
      expect(shown.tools).toEqual(['send_email'])
      shown.get('status').replaceChildren()
    }
    broken = false
    shown.revoke(0).click()
    await shown.lists()
    expect(shown.get('status').className).toBe('status')
  })
})

describe('the element', () => {
  test('follows what is granted and revoked in another tab', async () => {
    const name = `test-${crypto.randomUUID()}`
    const stores = [indexedDBStore(name), indexedDBStore(name)] as const
    onTestFinished(() => {
      for (const store of stores) store.close?.()
      indexedDB.deleteDatabase(name)
    })
    const [here, there] = [new Grants({ store: stores[0] }), new Grants({ store: stores[1] })]
    const shown = new Shown(grantsElement({ grants: here }))
    await shown.lists()
    await there.add(mail)
    await there.add({ ...mail, toolName: 'other' })
    await vi.waitFor(() => expect(shown.rows).toHaveLength(2))
    await there.revokeAll()
    await shown.lists()
  })

  test('keeps what is unfolded while others come and go', async () => {
    const grants = await grantsWith({ ...mail, input: { body: 'x'.repeat(2_000) } })
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists('send_email')
    const fold = shown.root.querySelector('details') as HTMLDetailsElement
    fold.open = true
    await grants.add(notes)
    await shown.lists('notes', 'send_email')
    expect(shown.root.querySelector('details')).toBe(fold)
    expect(fold.open).toBe(true)
  })

  test('listens only while it is on the page, and reads again when it comes back', async () => {
    const grants = await grantsWith(mail)
    const list = vi.spyOn(grants, 'list')
    const element = grantsElement({ grants })
    expect(list).not.toHaveBeenCalled()
    const shown = new Shown(element)
    await shown.lists('send_email')
    element.remove()
    const before = list.mock.calls.length
    await grants.add(notes)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(list).toHaveBeenCalledTimes(before)
    document.body.append(element)
    await shown.lists('notes', 'send_email')
  })

  test('reads once for many changes at once', async () => {
    const grants = await grantsWith()
    const shown = new Shown(grantsElement({ grants }))
    await shown.lists()
    const list = vi.spyOn(grants, 'list')
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => grants.add({ ...notes, scope: 'input', input: { n } })),
    )
    await vi.waitFor(() => expect(shown.rows).toHaveLength(30))
    expect(list.mock.calls.length).toBeLessThan(30)
  })

  test('in markup shows nothing until it has grants, also when those were set before the tag was defined', async () => {
    const grants = await grantsWith(mail)
    defineGrantsElement()
    defineGrantsElement()
    document.body.innerHTML = '<offstage-grants></offstage-grants>'
    const element = document.body.firstElementChild as GrantsElement
    expect(element.shadowRoot?.childElementCount).toBe(0)
    Object.defineProperty(element, 'grants', { value: grants, configurable: true, writable: true })
    element.remove()
    const shown = new Shown(element)
    await shown.lists('send_email')
    element.grants = await grantsWith(notes)
    await shown.lists('notes')
    element.grants = undefined
    expect(element.shadowRoot?.childElementCount).toBe(0)
  })

  test.each([
    ['no grants', {}, 'grants: expected the Grants object'],
    ['an option it does not know', { grants: new Grants(), text: {} }, 'Did you mean "texts"?'],
    ['a text it does not know', { grants: new Grants(), texts: { titles: '' } }, 'Did you mean "title"?'],
  ])('refuses %s', (_what, options, message) => {
    expect(() => grantsElement(options as never)).toThrow(message)
  })
})

describe('the look', () => {
  test.each(['light', 'dark'])('has no faults that axe finds, %s', async (scheme) => {
    const grants = await grantsWith(mail, notes, { ...mail, input: { body: 'x'.repeat(2_000) } })
    const shown = new Shown(grantsElement({ grants }))
    shown.element.style.colorScheme = scheme
    document.body.style.background = scheme === 'dark' ? '#1b1e24' : '#ffffff'
    onTestFinished(() => {
      document.body.style.background = ''
    })
    await shown.lists('send_email', 'notes', 'send_email')
    const faults = async () => {
      const { violations, passes } = await axe.run('offstage-grants')
      expect(passes.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['color-contrast', 'button-name', 'listitem', 'dlitem']),
      )
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
    }
    expect(await faults()).toEqual([])
    for (const fold of shown.root.querySelectorAll('details')) fold.open = true
    shown.revoke(1).click()
    await shown.lists('send_email', 'send_email')
    expect(await faults()).toEqual([])
  })

  test('says for each button what it revokes', async () => {
    const shown = new Shown(grantsElement({ grants: await grantsWith(mail, notes) }))
    await shown.lists('send_email', 'notes')
    const textOf = (element: Element, attribute: string) =>
      (element.getAttribute(attribute) ?? '')
        .split(' ')
        .map((id) => shown.root.getElementById(id)?.textContent)
        .join(' ')
    expect(textOf(shown.revoke(0), 'aria-labelledby')).toBe('Revoke send_email')
    expect(textOf(shown.revoke(0), 'aria-describedby')).toContain('alice@example.com')
    expect(textOf(shown.revoke(1), 'aria-labelledby')).toBe('Revoke notes')
    expect(textOf(shown.revoke(1), 'aria-describedby')).toBe('Every call of this tool')
  })

  test('fits into a narrow place and follows custom properties', async () => {
    const grants = await grantsWith({ ...mail, toolName: `send_${'very_'.repeat(10)}long` })
    const shown = new Shown(grantsElement({ grants }))
    shown.element.style.width = '240px'
    await vi.waitFor(() => expect(shown.rows).toHaveLength(1))
    const section = shown.get('section')
    expect(section.scrollWidth).toBeLessThanOrEqual(section.clientWidth)
    shown.element.style.setProperty('--offstage-surface', 'rgb(1, 2, 3)')
    expect(getComputedStyle(section).backgroundColor).toBe('rgb(1, 2, 3)')
  })
})
