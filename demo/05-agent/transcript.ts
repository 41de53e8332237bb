import { type AgentEvent, type ToolCall, type ToolResult, withoutFence } from 'offstage'
import { shortJson } from '../shared/code-view.ts'
import { element } from '../shared/element.ts'
import { outcomeBadge, whereItRan } from '../shared/result-view.ts'

/** A conversation, as a person reads it. */
export interface Transcript {
  readonly element: HTMLElement
  /** Begins anew with what the user says. */
  ask(text: string): void
  /** The user says something more. */
  goOn(text: string): void
  add(event: AgentEvent): void
  /** Adds a list item that is no event. */
  insert(item: HTMLElement): void
}

/** Makes an empty transcript. */
export function transcript(empty: HTMLElement): Transcript {
  const list = element('ol', { class: 'transcript', 'aria-label': 'Conversation' })
  const whole = element('div', {}, empty)
  const cards = new Map<string, CallCard>()
  let text: HTMLElement | undefined
  const say = (who: string, words: string) => {
    const paragraph = element('p', {}, words)
    list.append(element('li', { class: who }, element('span', { class: 'who' }, who), paragraph))
    return paragraph
  }
  const card = (id: string, call: ToolCall): CallCard => {
    const known = cards.get(id)
    if (known !== undefined) return known
    const made = callCard(call)
    cards.set(id, made)
    list.append(made.element)
    return made
  }
  const add = (event: AgentEvent) => {
    if (event.type === 'step-start') text = undefined
    else if (event.type === 'text-delta') {
      text ??= say('model', '')
      text.append(event.text)
    } else if (event.type === 'call') card(event.callId, event.call)
    else if (event.type === 'approval-requested') cards.get(event.callId)?.say('waits for you')
    else if (event.type === 'approval-answered')
      cards.get(event.callId)?.say(event.approved ? 'you approved' : 'not approved')
    else if (event.type === 'call-started')
      cards.get(event.callId)?.say(event.lane === undefined ? 'runs on the page' : `runs in ${event.lane}`)
    else if (event.type === 'result') card(event.callId, event.result.call).end(event.result)
  }
  const ask = (words: string) => {
    cards.clear()
    list.replaceChildren()
    whole.replaceChildren(list)
    say('you', words)
  }
  const goOn = (words: string) => void say('you', words)
  return { element: whole, ask, goOn, add, insert: (item) => list.append(item) }
}

interface CallCard {
  readonly element: HTMLElement
  say(state: string): void
  end(result: ToolResult): void
}

function callCard(call: ToolCall): CallCard {
  const state = element('span', { class: 'call-state' }, 'checked')
  const card = element(
    'li',
    { class: 'call-card', 'data-tool': call.name },
    element('span', { class: 'call-name' }, call.name),
    element('code', { class: 'call-input' }, shortJson(call.input)),
    state,
  )
  return {
    element: card,
    say: (words) => {
      state.textContent = words
    },
    end: (result) => {
      state.replaceChildren(outcomeBadge(result.outcome))
      card.append(
        element('p', { class: 'call-text' }, withoutFence(result.response.text)),
        element('p', { class: 'call-where' }, whereItRan(result)),
      )
    },
  }
}
