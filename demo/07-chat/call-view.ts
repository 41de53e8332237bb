import { type OpenQuestion, type ToolResult, withoutFence } from 'offstage'
import { shortJson } from '../shared/code-view.ts'
import { button, element } from '../shared/element.ts'
import { row } from '../shared/panel.ts'
import { outcomeBadge, whereItRan } from '../shared/result-view.ts'
import { now, timeText } from '../shared/time-text.ts'
import { type ChatCall, callState } from './chat-entries.ts'

/** A card that follows a call. */
export interface CallView {
  readonly element: HTMLElement
  update(entry: ChatCall): void
}

/** A yes in the first moments was meant for what stood here before. In milliseconds. */
const guardMs = 400

/**
 * Makes the card of a call.
 *
 * @param resultOf - How a call ended, which a session does not keep whole.
 * @param answered - Called after the person has answered.
 */
export function callView(
  resultOf: (callId: string) => ToolResult | undefined,
  answered: () => void,
): CallView {
  const name = element('span', { class: 'call-name' })
  const input = element('code', { class: 'call-input' })
  const state = element('span', { class: 'call-state' })
  const card = element('li', { class: 'call-card' }, name, input, state)
  let question: OpenQuestion | undefined
  let buttons: HTMLElement | undefined
  let isOver = false
  const ask = (asked: OpenQuestion | undefined) => {
    if (asked === question) return
    question = asked
    buttons?.remove()
    buttons = asked && answerButtons(asked, answered)
    if (buttons !== undefined) card.append(buttons)
    card.classList.toggle('waiting', asked !== undefined)
  }
  const update = (entry: ChatCall) => {
    const { call, activity, result } = entry
    card.dataset.tool = call.name
    name.textContent = call.name
    input.textContent = activity?.inputText ?? shortJson(activity?.input ?? call.input)
    ask(entry.question)
    if (result === undefined) {
      state.textContent = callState(entry) + runningTime(activity?.startedAt)
      return
    }
    if (isOver) return
    isOver = true
    state.replaceChildren(outcomeBadge(result.outcome))
    card.append(element('p', { class: 'call-text' }, withoutFence(result.text)))
    const known = resultOf(call.id)
    if (known !== undefined) card.append(element('p', { class: 'call-where' }, whereItRan(known)))
  }
  return { element: card, update }
}

function runningTime(startedAt: number | undefined): string {
  return startedAt === undefined ? '' : ` for ${timeText(Math.max(0, now() - startedAt))}`
}

function answerButtons({ toolName, reasons, answer }: OpenQuestion, answered: () => void): HTMLElement {
  const shownAt = performance.now()
  const say = (isYes: boolean) => (event: Event) => {
    if (!event.isTrusted || (isYes && event.timeStamp - shownAt < guardMs)) return
    answer(isYes)
    answered()
  }
  const allow = button('Allow', () => {}, { class: 'primary', 'aria-label': `Allow ${toolName}` })
  const deny = button('Deny', () => {}, { 'aria-label': `Deny ${toolName}` })
  allow.addEventListener('click', say(true))
  deny.addEventListener('click', say(false))
  const why = reasons.map((reason) => element('p', { class: 'hint' }, reason))
  return element('div', { class: 'call-action' }, ...why, row(allow, deny))
}
