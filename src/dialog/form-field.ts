import { canonicalJson, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import { differenceView } from './difference-view.ts'
import type { FormControl, FormControlOptions, Reading } from './form-control.ts'
import type { FormTexts } from './form-texts.ts'
import { literalPieces } from './literal-text.ts'
import { literalElement, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'
import { smallButton } from './small-button.ts'

/** One field of a form: label, help, control, what is wrong with it and how it differs from the proposal. */
export interface FormField {
  /** Dotted path of its value in the input. */
  readonly path: string
  readonly element: HTMLElement
  read(): Reading
  /** Whether the person has been there, or what stands there was proposed: only then it is told what is wrong. */
  isTouched(): boolean
  /** Shows how the value differs now. */
  update(): void
  showProblems(messages: readonly string[]): void
  focus(): void
}

/** What a field is made from. */
export interface FormFieldOptions {
  readonly name: string
  readonly path: string
  readonly schema: JsonObject
  readonly required: boolean
  /** What was proposed: what the value is compared with, and what Undo brings back. */
  readonly proposed: JsonValue | undefined
  /** What stands there at first. */
  readonly value: JsonValue | undefined
  /** Whether there was a proposal at all. */
  readonly compare: boolean
  readonly texts: FormTexts
  /** Called after a change that no `input` event tells. */
  changed(): void
}

/** How the value of a field is written. */
export interface FieldKind {
  makeControl(options: FormControlOptions): FormControl
  differs(proposed: JsonValue | undefined, reading: Reading): boolean
}

let fieldCount = 0

// No name of a field: those are not to be trusted.
function newId(): string {
  fieldCount += 1
  return `field-${fieldCount}`
}

/** Makes a field; `kind` makes its control, anew after each Undo. */
export function formField(options: FormFieldOptions, kind: FieldKind): FormField {
  const { path, proposed, value, compare, changed } = options
  const id = newId()
  const ties = {
    id,
    'aria-labelledby': `${id}-label ${id}-need`,
    'aria-describedby': `${id}-help ${id}-problems ${id}-changed`,
  }
  let touched = compare
  let problems: readonly string[] = []
  const frame = fieldFrame(id, options, () => {
    place(proposed)
    control.target.focus()
    changed()
  })
  let control: FormControl
  const place = (start: JsonValue | undefined) => {
    control = kind.makeControl({ ...options, value: start, attributes: ties })
    frame.place.replaceChildren(control.element)
  }
  const showProblems = (messages: readonly string[]) => {
    problems = messages
    if (!touched) return
    frame.showProblems(messages)
    control.target.ariaInvalid = messages.length > 0 ? 'true' : null
  }
  const update = () => frame.update(compare && kind.differs(proposed, control.read()), control.read())
  for (const event of ['input', 'focusout']) {
    frame.element.addEventListener(event, () => {
      touched = true
      showProblems(problems)
    })
  }
  place(value)
  update()
  return {
    path,
    element: frame.element,
    read: () => control.read(),
    isTouched: () => touched,
    update,
    showProblems,
    focus: () => control.target.focus(),
  }
}

interface FieldFrame {
  readonly element: HTMLElement
  /** Where the control stands. */
  readonly place: HTMLElement
  showProblems(messages: readonly string[]): void
  update(differs: boolean, reading: Reading): void
}

function fieldFrame(id: string, options: FormFieldOptions, undone: () => void): FieldFrame {
  const { proposed, texts } = options
  const badge = makeElement('span', { id: `${id}-changed`, class: 'badge', part: 'changed' })
  const undo = smallButton(texts.undo, undone, {
    id: `${id}-undo`,
    'aria-labelledby': `${id}-undo ${id}-label`,
  })
  const place = makeElement('div', { class: 'control' })
  const letters = makeElement('div', { class: 'letters' })
  const problems = makeElement('ul', { id: `${id}-problems`, class: 'problems', part: 'problems' })
  const difference = makeElement('div')
  const element = makeElement(
    'div',
    { class: 'form-field', part: 'form-field' },
    makeElement('div', { class: 'label' }, ...nameOf(id, options), badge, undo),
    ...[helpOf(id, options), place, problems, letters, difference],
  )
  let shown = ''
  return {
    element,
    place,
    showProblems: (messages) => {
      problems.replaceChildren(...messages.map((text) => makeElement('li', {}, literalText(text, texts))))
    },
    update: (differs, reading) => {
      // What the person has unfolded stays so while another field is written.
      const next = JSON.stringify([differs, reading])
      if (next === shown) return
      shown = next
      element.classList.toggle('differs', differs)
      // A hidden text would be read out all the same.
      badge.textContent = differs ? texts.changed : ''
      badge.hidden = undo.hidden = !differs
      difference.replaceChildren(...(differs ? [differenceView(proposed, reading, texts)] : []))
      letters.replaceChildren(...(differs ? [] : hiddenLetters(reading, texts)))
    },
  }
}

function nameOf(id: string, { name, required, texts }: FormFieldOptions): readonly HTMLElement[] {
  const label = makeElement('label', { for: id, id: `${id}-label` }, literalElement(name))
  return [
    label,
    makeElement('span', { id: `${id}-need`, class: 'need' }, required ? texts.required : texts.optional),
  ]
}

function helpOf(id: string, { schema, texts }: FormFieldOptions): HTMLElement {
  const help = makeElement('div', { id: `${id}-help`, class: 'help' })
  if (typeof schema.description === 'string' && schema.description !== '') {
    help.append(literalText(schema.description, texts))
  }
  return help
}

// A text field shows nothing of a character that has no ink; the difference already does.
function hiddenLetters({ value }: Reading, texts: FormTexts): Node[] {
  if (typeof value !== 'string' || !literalPieces(value).some(({ kind }) => kind === 'marked')) return []
  return [makeElement('span', { class: 'quiet' }, `${texts.letterForLetter}: `), literalText(value, texts)]
}

/** Whether what stands in a field is another value than the proposed one. */
export function isOtherValue(proposed: JsonValue | undefined, { value, problem }: Reading): boolean {
  if (problem !== undefined) return true
  if (proposed === undefined || value === undefined) return proposed !== value
  return canonicalJson(proposed) !== canonicalJson(value)
}
