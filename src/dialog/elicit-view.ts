import { checkOptions } from '../tool/check-options.ts'
import { defined } from '../tool/defined.ts'
import { ignoreHeldKeys } from './approval-guard.ts'
import type { ConfirmView, ConfirmViewEvents, ConfirmViewOptions } from './confirm-view.ts'
import { addressView, openAddress } from './elicit-address.ts'
import { elicitStyleSheet } from './elicit-styles.ts'
import { type ElicitTexts, elicitTextsEn } from './elicit-texts.ts'
import { startEditing } from './input-editor.ts'
import type { EditAnswer } from './input-section.ts'
import { literalElement, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { modalView } from './modal-view.ts'
import { pendingList } from './pending-list.ts'

/** What a server asks: a form to fill in, or an address to open. */
export interface ElicitMatter {
  readonly server: string | undefined
  readonly message: string
  /** A form otherwise, made from the `userFields` of the request. */
  readonly url: URL | undefined
}

/** The texts of a server's question: the English ones, where the dialog's texts do not replace them. */
export function elicitTexts(replaced: Partial<ElicitTexts> = {}): ElicitTexts {
  checkOptions(replaced, Object.keys(elicitTextsEn), 'elicitDialog(), texts.elicit')
  return { ...elicitTextsEn, ...replaced }
}

/** Makes the dialog of a server's question. Nothing is sent and nothing opened but by a press on purpose. */
export function makeElicitView(
  matter: ElicitMatter,
  options: ConfirmViewOptions,
  events: ConfirmViewEvents,
): ConfirmView {
  const { texts } = options
  const own = elicitTexts(texts.elicit)
  const { url } = matter
  let allowedSince = Number.POSITIVE_INFINITY
  const answers = answerButtons(url === undefined ? own.send : own.open, own, events)
  const update = () => {
    const { blocked } = body.answer()
    answers.block(blocked)
    allowedSince =
      blocked === undefined ? Math.min(allowedSince, performance.now()) : Number.POSITIVE_INFINITY
  }
  const body = url === undefined ? formBody(options, own, () => update()) : addressBody(url, own)
  update()
  const position = makeElement('span', { class: 'position', part: 'position' })
  const list = pendingList(texts, events.pick)
  const details = makeElement(
    'div',
    { class: 'details', part: 'details', role: 'region', 'aria-label': own.details, tabindex: '0' },
    makeElement('div', { id: 'about', class: 'text', part: 'message' }, literalText(matter.message, texts)),
    ...body.elements,
  )
  const title = url === undefined ? own.formTitle : own.urlTitle
  const header = makeHeader(title, matter.server ?? own.unknownServer, position)
  const dialog = makeDialog(texts.lang, [list.element, header, details, answers.element])
  dialog.addEventListener('cancel', (event) => {
    event.preventDefault()
    cancelled(events)
  })
  ignoreHeldKeys(dialog)
  const pressed = () => {
    if (url !== undefined) openAddress(url)
    events.answered(defined({ approved: true, fields: body.answer().fields }))
  }
  const parts = { dialog, position, list, guarded: answers.accept, first: details, pressed }
  const styleSheets = [elicitStyleSheet(), ...body.styleSheets]
  return modalView({ ...parts, styleSheets, mayPressAt: (time) => time >= allowedSince }, options, events)
}

interface Body {
  readonly elements: readonly HTMLElement[]
  readonly styleSheets: readonly CSSStyleSheet[]
  answer(): EditAnswer
}

function formBody({ request, texts }: ConfirmViewOptions, own: ElicitTexts, changed: () => void): Body {
  let editing: ReturnType<typeof startEditing> | undefined
  // The first check starts before there is anything to ask.
  editing = startEditing({ request, proposed: {}, texts, changed: () => editing && changed() })
  const { userForm, styleSheet, answer } = editing
  const heading = makeElement('h3', { part: 'heading' }, own.fields)
  const about = makeElement('p', { class: 'quiet form-about' }, own.formAbout)
  const elements = [heading, about, ...(userForm === undefined ? [] : [userForm])]
  return { elements, styleSheets: [styleSheet], answer }
}

function addressBody(url: URL, own: ElicitTexts): Body {
  const about = makeElement('p', { class: 'quiet' }, own.urlAbout)
  return { elements: [...addressView(url, own), about], styleSheets: [], answer: () => ({}) }
}

interface AnswerButtons {
  readonly element: HTMLElement
  readonly accept: HTMLButtonElement
  /** Shows why there can be no yes now. */
  block(why: string | undefined): void
}

function answerButtons(label: string, own: ElicitTexts, events: ConfirmViewEvents): AnswerButtons {
  const button = (words: string, name: string, more: Record<string, string> = {}) =>
    makeElement(
      'button',
      { type: 'button', part: `button ${name}`, 'aria-describedby': 'server', ...more },
      words,
    )
  const cancel = button(own.cancel, 'cancel', { class: 'deny cancel' })
  const decline = button(own.decline, 'decline', { class: 'deny decline' })
  const accept = button(label, 'accept', { class: 'approve accept', 'aria-describedby': 'server blocked' })
  cancel.addEventListener('click', () => cancelled(events))
  decline.addEventListener('click', () => events.answered({ approved: false }))
  const blocked = makeElement('p', { id: 'blocked', class: 'blocked', part: 'blocked', role: 'status' })
  const buttons = makeElement('div', { class: 'buttons' }, cancel, decline, accept)
  return {
    element: makeElement('div', { class: 'answers', part: 'answers' }, blocked, buttons),
    accept,
    block: (why = '') => {
      if (blocked.textContent !== why) blocked.textContent = why
      accept.ariaDisabled = why === '' ? null : 'true'
    },
  }
}

/** The person has not said no, but wants to be rid of the question. */
function cancelled(events: ConfirmViewEvents): void {
  events.answered({ approved: false, unanswered: 'cancelled' })
}

function makeHeader(title: string, server: string, position: HTMLElement): HTMLElement {
  return makeElement(
    'div',
    { class: 'header', part: 'header' },
    makeElement('h2', { id: 'title', part: 'title' }, title),
    position,
    makeElement('div', { id: 'server', class: 'tool', part: 'server' }, literalElement(server)),
  )
}

function makeDialog(lang: string, children: readonly HTMLElement[]): HTMLDialogElement {
  const ties = { 'aria-labelledby': 'title server', 'aria-describedby': 'about' }
  return makeElement('dialog', { part: 'dialog', lang, ...ties }, ...children)
}
