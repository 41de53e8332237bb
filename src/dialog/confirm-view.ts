import type { ApprovalRequest } from '../execution/approval.ts'
import type { ApprovalDecision } from '../execution/decision.ts'
import { type AnswerPart, answerPart } from './answer-part.ts'
import { ignoreHeldKeys } from './approval-guard.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { type EditAnswer, inputSection } from './input-section.ts'
import { literalElement } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { modalView } from './modal-view.ts'
import { type PendingList, type PendingRequest, pendingList } from './pending-list.ts'
import { requestView } from './request-view.ts'

/** What is shown, and where. */
export interface ConfirmViewOptions {
  readonly request: ApprovalRequest
  readonly container: HTMLElement
  readonly texts: DialogTexts
}

/** What can happen to a dialog. The one who is told closes it. */
export interface ConfirmViewEvents {
  answered(decision: ApprovalDecision): void
  /** It left the page, or can no longer be seen at all. */
  removed(): void
  /** The person wants to see another request that waits. */
  pick(pending: PendingRequest): void
}

/** How a dialog appears. */
export interface Appearance {
  /** It does not take the place of another one, so it slides in. */
  readonly enters: boolean
  /** The person picked it from the list, where the focus stays. */
  readonly picked: boolean
}

/** The dialog of one request. What was written in it stays while it is hidden. */
export interface ConfirmView {
  /**
   * Puts it on the page, as a modal dialog with the focus on Deny.
   *
   * @throws whatever the browser throws; nothing stays on the page then.
   */
  show(appearance: Appearance): void
  /** Shows all that wait, itself among them, and how many were asked before. */
  showQueue(waiting: readonly PendingRequest[], ended: number): void
  /** Takes it off the page, for a while or for ever; nothing is told about it then. */
  hide(): void
}

/**
 * Makes the dialog of a request. `options` itself stands for it among those that wait.
 *
 * @throws whatever the browser or a text function throws.
 */
export function makeConfirmView(options: ConfirmViewOptions, events: ConfirmViewEvents): ConfirmView {
  const { answers, answer, ...parts } = makeParts(options, events)
  const { approve, deny } = answers
  const pressed = () => events.answered(answers.approval(answer()))
  return modalView({ ...parts, guarded: approve, first: deny, pressed }, options, events)
}

interface DialogParts {
  readonly dialog: HTMLDialogElement
  readonly position: HTMLElement
  readonly list: PendingList
  readonly answers: AnswerPart
  /** What a yes would carry now. */
  answer(): EditAnswer
  /** Whether a yes was possible at that time, and is since then. Time as `event.timeStamp`. */
  mayPressAt(time: number): boolean
}

function makeParts({ request, texts }: ConfirmViewOptions, events: ConfirmViewEvents): DialogParts {
  const position = makeElement('span', { class: 'position', part: 'position' })
  const list = pendingList(texts, events.pick)
  const answers = answerPart(request, texts, events.answered)
  let allowedSince = 0
  const update = () => {
    const answer = input.answer()
    answers.update(answer)
    if (answer.blocked !== undefined) allowedSince = Number.POSITIVE_INFINITY
    else allowedSince = Math.min(allowedSince, performance.now())
  }
  const input = inputSection(request, texts, update)
  update()
  const dialog = makeDialog(texts, [
    list.element,
    makeHeader(request, texts, position),
    requestView(request, texts, input.elements),
    ...answers.elements,
  ])
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    events.answered({ approved: false })
  })
  ignoreHeldKeys(dialog)
  return {
    dialog,
    position,
    list,
    answers,
    answer: input.answer,
    mayPressAt: (time) => time >= allowedSince,
  }
}

function makeHeader(request: ApprovalRequest, texts: DialogTexts, position: HTMLElement): HTMLElement {
  return makeElement(
    'div',
    { class: 'header', part: 'header' },
    makeElement('h2', { id: 'title', part: 'title' }, texts.title),
    position,
    makeElement('div', { id: 'tool', class: 'tool', part: 'tool' }, literalElement(request.toolName)),
  )
}

function makeDialog(texts: DialogTexts, children: readonly HTMLElement[]): HTMLDialogElement {
  const attributes = {
    part: 'dialog',
    role: 'alertdialog',
    lang: texts.lang,
    'aria-labelledby': 'title tool',
    'aria-describedby': 'about',
  }
  return makeElement('dialog', attributes, ...children)
}
