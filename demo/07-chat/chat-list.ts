import type { SessionSnapshot, ToolResult } from 'offstage'
import { element } from '../shared/element.ts'
import { callView } from './call-view.ts'
import { type ChatEntry, type ChatSaying, chatEntries } from './chat-entries.ts'

/** The conversation, drawn. */
export interface ChatList {
  readonly element: HTMLElement
  update(snapshot: SessionSnapshot): void
}

interface Drawn {
  readonly kind: ChatEntry['kind']
  readonly element: HTMLElement
  update(entry: ChatEntry): void
}

const names: Readonly<Record<ChatSaying['kind'], string>> = {
  you: 'you',
  model: 'model',
  file: 'model',
  reasoning: 'Thoughts',
}

/**
 * Makes an empty list. What was drawn once is changed in place, so that a selection, an open detail and the focus
 * outlive each word that comes.
 */
export function chatList(
  empty: HTMLElement,
  resultOf: (callId: string) => ToolResult | undefined,
  answered: () => void,
): ChatList {
  const list = element('ol', { class: 'transcript' })
  const scroller = element(
    'div',
    { class: 'chat-scroller', tabindex: '0', role: 'region', 'aria-label': 'Conversation' },
    empty,
    list,
  )
  let drawn = new Map<string, Drawn>()
  const draw = (entry: ChatEntry): Drawn => {
    const known = drawn.get(entry.key)
    if (known?.kind === entry.kind) return known
    return entry.kind === 'call' ? drawCall(resultOf, answered) : drawSaying(entry)
  }
  const update = (snapshot: SessionSnapshot) => {
    const isAtEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < 48
    const next = new Map<string, Drawn>()
    for (const entry of chatEntries(snapshot)) {
      const one = draw(entry)
      one.update(entry)
      const at = list.children[next.size]
      if (at !== one.element) list.insertBefore(one.element, at ?? null)
      next.set(entry.key, one)
    }
    while (list.children.length > next.size) list.lastElementChild?.remove()
    drawn = next
    empty.hidden = next.size > 0
    // Who reads further up is left there.
    if (isAtEnd) scroller.scrollTop = scroller.scrollHeight
  }
  return { element: scroller, update }
}

function drawCall(resultOf: (callId: string) => ToolResult | undefined, answered: () => void): Drawn {
  const view = callView(resultOf, answered)
  return {
    kind: 'call',
    element: view.element,
    update: (entry) => {
      if (entry.kind === 'call') view.update(entry)
    },
  }
}

function drawSaying({ kind }: ChatSaying): Drawn {
  const words = element('p', { class: 'words' })
  const item =
    kind === 'reasoning'
      ? element(
          'li',
          { class: 'thoughts' },
          element('details', {}, element('summary', {}, names[kind]), words),
        )
      : element('li', { class: names[kind] }, element('span', { class: 'who' }, names[kind]), words)
  return {
    kind,
    element: item,
    update: (entry) => {
      if (entry.kind !== 'call' && words.textContent !== entry.text) words.textContent = entry.text
    },
  }
}
