import type { ApprovalRequest } from '../execution/approval.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { firstOf } from './literal-text.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { originView } from './origin-view.ts'

/** One that waits. The same request asked twice is two of them. */
export interface PendingRequest {
  readonly request: ApprovalRequest
}

/** All requests that wait, to pick one of them. */
export interface PendingList {
  readonly element: HTMLElement
  /**
   * Shows them in the order in which they came. One that has ended since keeps its place, so that no click lands
   * on another one than was meant. A single one is not listed.
   */
  update(waiting: readonly PendingRequest[], current: PendingRequest): void
  /** Forgets those that have ended. */
  clear(): void
  /** Puts the focus on a request of the list. */
  focus(pending: PendingRequest): void
}

/** Makes the list; `pick` is told which request the person wants to see. */
export function pendingList(texts: DialogTexts, pick: (pending: PendingRequest) => void): PendingList {
  const rows = new Map<PendingRequest, PendingRow>()
  const list = makeElement('ol', { part: 'waiting' })
  const element = makeElement(
    'nav',
    { class: 'waiting', 'aria-labelledby': 'waiting' },
    makeElement('h3', { id: 'waiting', part: 'heading' }, texts.waiting),
    list,
  )
  element.hidden = true
  return {
    element,
    update: (waiting, current) => {
      if (waiting.length < 2 && rows.size === 0) return
      for (const [pending, row] of rows) if (!waiting.includes(pending)) row.end()
      for (const pending of waiting) {
        if (rows.has(pending)) continue
        const row = pendingRow(pending, texts, pick)
        rows.set(pending, row)
        list.append(row.element)
      }
      element.hidden = false
      const button = rows.get(current)?.button
      button?.setAttribute('aria-current', 'true')
      button?.scrollIntoView({ block: 'nearest' })
    },
    clear: () => {
      rows.clear()
      list.replaceChildren()
      element.hidden = true
    },
    focus: (pending) => rows.get(pending)?.button.focus(),
  }
}

interface PendingRow {
  readonly element: HTMLElement
  readonly button: HTMLButtonElement
  end(): void
}

function pendingRow(
  pending: PendingRequest,
  texts: DialogTexts,
  pick: (pending: PendingRequest) => void,
): PendingRow {
  const { request } = pending
  const button = makeElement(
    'button',
    { type: 'button', class: 'row', part: 'waiting-request' },
    makeElement('span', { class: 'unseen' }, `${texts.pick} `),
    makeElement('span', { class: 'row-tool' }, shortLiteral(request.toolName)),
    originView(request.origin, texts, shortLiteral),
    makeElement('span', { class: 'row-input' }, shortLiteral(firstWords(request))),
  )
  button.addEventListener('click', () => pick(pending))
  const element = makeElement('li', {}, button)
  const end = () => {
    // It may have the focus, which a disabled button would lose.
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    button.append(makeElement('span', { class: 'ended' }, texts.ended))
  }
  return { element, button, end }
}

/** More of a text is not listed, in UTF-16 units: the request itself shows all of it. */
const maxLength = 80

function shortLiteral(text: string): HTMLElement {
  return literalElement(firstOf(text, maxLength))
}

function firstWords({ input }: ApprovalRequest): string {
  let words = ''
  for (const [name, value] of Object.entries(input)) {
    // One more unit than is shown, which tells that there is more.
    if (words.length > maxLength) break
    const text = typeof value === 'string' ? value.slice(0, maxLength + 1) : JSON.stringify(value)
    words += `${words === '' ? '' : ', '}${name}: ${text}`
  }
  return words
}
