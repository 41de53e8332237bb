import type { ApprovalRequest } from '../execution/approval.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { foldableList, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { originView } from './origin-view.ts'

/** More reasons than this are folded away. */
const maxReasons = 6

/**
 * The scrolling middle of the dialog: origin, description, reasons and input of a request. Whoever wrote
 * the tool or the call can make it long, but not larger than the room that the buttons leave.
 */
export function requestView(
  request: ApprovalRequest,
  texts: DialogTexts,
  inputSections: readonly HTMLElement[],
): HTMLElement {
  const { origin, description, reasons } = request
  const from = originView(origin, texts, (literal) => literalText(literal, texts))
  const about = makeElement('div', { id: 'about', class: 'about' }, from)
  if (description !== '') {
    about.append(makeElement('div', { class: 'text', part: 'description' }, literalText(description, texts)))
  }
  if (reasons.length > 0) about.append(reasonsView(reasons, texts))
  return makeElement(
    'div',
    // Reached with the keyboard, so that it can be scrolled without a pointer.
    { class: 'details', part: 'details', role: 'region', 'aria-label': texts.details, tabindex: '0' },
    about,
    ...inputSections,
  )
}

function reasonsView(reasons: readonly string[], texts: DialogTexts): HTMLElement {
  const lists = foldableList(reasons, maxReasons, texts, (some) => {
    const list = makeElement('ul')
    for (const reason of some) {
      list.append(makeElement('li', { class: 'text' }, literalText(reason, texts)))
    }
    return list
  })
  return makeElement(
    'div',
    { class: 'reasons', part: 'reasons' },
    makeElement('h3', { part: 'heading' }, texts.reasons),
    ...lists,
  )
}
