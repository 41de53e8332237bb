import type { ApprovalDecision, ApprovalRequest } from '../execution/approval.ts'
import { guardButton, ignoreHeldKeys, watchVisibleTime } from './approval-guard.ts'
import { makeConfirmElement } from './confirm-element.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { requestView } from './request-view.ts'

/** What is shown, and where. */
export interface ConfirmViewOptions {
  readonly request: ApprovalRequest
  readonly container: HTMLElement
  readonly texts: DialogTexts
  /** Whether it takes the place of another request that was just answered: it does not slide in then. */
  readonly follows: boolean
}

/** What can happen to a dialog. The one who is told closes it. */
export interface ConfirmViewEvents {
  answered(decision: ApprovalDecision): void
  /** It left the page, or can no longer be seen at all. */
  removed(): void
}

/** One request on the screen. */
export interface ConfirmView {
  /** Shows where the request stands in the queue; a queue of one is not mentioned. */
  showPosition(index: number, total: number): void
  /** Takes the dialog off the page; nothing is told about it after that. */
  close(): void
}

/**
 * Opens a modal dialog for one request and puts the focus on Deny.
 *
 * @throws whatever the browser or a text function throws; nothing stays on the page then.
 */
export function openConfirmView(options: ConfirmViewOptions, events: ConfirmViewEvents): ConfirmView {
  const { request, container, texts, follows } = options
  const element = makeConfirmElement()
  const position = makeElement('span', { class: 'position', part: 'position' })
  const answers = makeAnswers(texts)
  const dialog = makeDialog(request, texts, position, answers)
  if (!follows) dialog.classList.add('enters')
  element.shadowRoot?.append(dialog)
  element.removed = () => events.removed()
  container.append(element)
  const visible = watchVisibleTime(answers.approve, () => events.removed())
  const close = () => {
    visible.stop()
    element.removed = undefined
    element.remove()
  }
  try {
    dialog.showModal()
  } catch (error) {
    close()
    throw error
  }
  answers.deny.focus()
  ignoreHeldKeys(dialog)
  guardButton(answers.approve, visible, () => events.answered({ approved: true }))
  listenForDenial(dialog, answers, (decision) => events.answered(decision))
  // A script may close the dialog; that is no answer of the person.
  dialog.addEventListener('close', () => events.removed())
  return {
    showPosition: (index, total) => {
      position.textContent = total > 1 ? texts.position(index, total) : ''
    },
    close,
  }
}

interface Answers {
  readonly reason: HTMLInputElement
  readonly deny: HTMLButtonElement
  readonly approve: HTMLButtonElement
}

function makeAnswers(texts: DialogTexts): Answers {
  return {
    reason: makeElement('input', {
      id: 'reason',
      part: 'reason',
      type: 'text',
      autocomplete: 'off',
      dir: 'auto',
    }),
    deny: makeElement(
      'button',
      { type: 'button', class: 'deny', part: 'button deny', 'aria-describedby': 'title tool' },
      texts.deny,
    ),
    approve: makeElement(
      'button',
      { type: 'button', class: 'approve', part: 'button approve', 'aria-labelledby': 'approve tool' },
      makeElement('span', { id: 'approve' }, texts.approve),
    ),
  }
}

function makeDialog(
  request: ApprovalRequest,
  texts: DialogTexts,
  position: HTMLElement,
  { reason, deny, approve }: Answers,
): HTMLDialogElement {
  const attributes = {
    part: 'dialog',
    role: 'alertdialog',
    lang: texts.lang,
    'aria-labelledby': 'title tool',
    'aria-describedby': 'about',
  }
  return makeElement(
    'dialog',
    attributes,
    makeElement(
      'div',
      { class: 'header', part: 'header' },
      makeElement('h2', { id: 'title', part: 'title' }, texts.title),
      position,
      makeElement('div', { id: 'tool', class: 'tool', part: 'tool' }, literalElement(request.toolName)),
    ),
    requestView(request, texts),
    makeElement(
      'div',
      { class: 'footer', part: 'footer' },
      makeElement('label', { for: 'reason' }, texts.denialReason),
      reason,
      makeElement('div', { class: 'buttons' }, deny, approve),
    ),
  )
}

function listenForDenial(
  dialog: HTMLDialogElement,
  { reason, deny }: Answers,
  answered: (decision: ApprovalDecision) => void,
): void {
  const denyWithReason = () => {
    const text = reason.value.trim()
    answered(text === '' ? { approved: false } : { approved: false, reason: text })
  }
  deny.addEventListener('click', denyWithReason)
  reason.addEventListener('keydown', (event) => {
    // Enter that ends the composition of a character is not meant for the dialog.
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    if (!event.repeat) denyWithReason()
  })
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    answered({ approved: false })
  })
}
