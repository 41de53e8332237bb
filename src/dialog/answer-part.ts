import type { ApprovalRequest } from '../execution/approval.ts'
import type { ApprovalDecision } from '../execution/decision.ts'
import { defined } from '../tool/defined.ts'
import type { DialogTexts } from './dialog-texts.ts'
import type { EditAnswer } from './input-section.ts'
import { makeElement } from './make-element.ts'
import { rememberChoice } from './remember-choice.ts'

/** The lower end of the dialog: a note, for how long a yes holds, and the two answers. */
export interface AnswerPart {
  readonly elements: readonly HTMLElement[]
  readonly deny: HTMLButtonElement
  readonly approve: HTMLButtonElement
  /** Shows what a yes would send, or why there can be none now. */
  update(answer: EditAnswer): void
  /** A yes with all that was chosen. */
  approval(answer: EditAnswer): ApprovalDecision
}

/** Makes the answers; `denied` is told the person's no. */
export function answerPart(
  request: ApprovalRequest,
  texts: DialogTexts,
  denied: (decision: ApprovalDecision) => void,
): AnswerPart {
  const remember = rememberChoice(request.mayRemember ?? [], texts)
  const blocked = makeElement('p', { id: 'blocked', class: 'blocked', part: 'blocked', role: 'status' })
  const { deny, approve, words } = makeButtons(texts)
  const label = () => {
    words.textContent = approveLabel(request.userFields !== undefined, note.read() !== undefined, texts)
  }
  const denyWithReason = () => denied(defined({ approved: false, reason: note.read() }))
  const note = noteField(texts, label, denyWithReason)
  label()
  deny.addEventListener('click', denyWithReason)
  const buttons = makeElement('div', { class: 'buttons' }, deny, approve)
  const footer = makeElement('div', { class: 'footer', part: 'footer' }, ...note.elements)
  if (remember.element !== undefined) footer.append(remember.element)
  // Always in sight, however little room there is.
  const bottom = makeElement('div', { class: 'answers', part: 'answers' }, remember.warning, blocked, buttons)
  return {
    elements: [footer, bottom],
    deny,
    approve,
    update: (answer) => {
      const why = 'blocked' in answer ? answer.blocked : ''
      // A status that is written again is read out again.
      if (blocked.textContent !== why) blocked.textContent = why
      approve.ariaDisabled = why === '' ? null : 'true'
    },
    approval: ({ input, fields }) =>
      defined({ approved: true, reason: note.read(), input, fields, remember: remember.read() }),
  }
}

function approveLabel(hasFields: boolean, hasNote: boolean, texts: DialogTexts): string {
  if (hasFields) return hasNote ? texts.approveFieldsWithNote : texts.approveFields
  return hasNote ? texts.approveWithNote : texts.approve
}

interface AnswerButtons {
  readonly deny: HTMLButtonElement
  readonly approve: HTMLButtonElement
  /** What stands on Approve. */
  readonly words: HTMLElement
}

function makeButtons(texts: DialogTexts): AnswerButtons {
  const deny = { class: 'deny', part: 'button deny', 'aria-describedby': 'title tool' }
  const approve = {
    class: 'approve',
    part: 'button approve',
    'aria-labelledby': 'approve tool',
    'aria-describedby': 'blocked',
  }
  const words = makeElement('span', { id: 'approve' })
  return {
    deny: makeElement('button', { type: 'button', ...deny }, texts.deny),
    approve: makeElement('button', { type: 'button', ...approve }, words),
    words,
  }
}

interface NoteField {
  readonly elements: readonly HTMLElement[]
  /** Undefined when nothing was written. */
  read(): string | undefined
}

function noteField(texts: DialogTexts, changed: () => void, entered: () => void): NoteField {
  const id = 'reason'
  const field = makeElement('input', { id, part: 'reason', type: 'text', autocomplete: 'off', dir: 'auto' })
  field.addEventListener('input', changed)
  field.addEventListener('keydown', (event) => {
    // Enter that ends the composition of a character is not meant for the dialog.
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    if (!event.repeat) entered()
  })
  const label = makeElement('label', { for: id }, texts.note)
  return { elements: [label, field], read: () => field.value.trim() || undefined }
}
