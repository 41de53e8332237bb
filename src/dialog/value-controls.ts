import { canonicalJson, type JsonValue } from '../tool/json-value.ts'
import type { FormControl, FormControlOptions, Reading } from './form-control.ts'
import { printJson, readJson, readNumber } from './json-text.ts'
import { literalPieces } from './literal-text.ts'
import { makeElement } from './make-element.ts'
import { kindOf, type TitledChoice, titledChoicesOf } from './schema-kind.ts'

/** Longer texts get a field of several lines, in UTF-16 units. */
const maxLineLength = 60

/** The control for one value that is neither a list nor an object of fields; JSON for what has no better one. */
export function valueControl(options: FormControlOptions): FormControl {
  switch (kindOf(options.schema, options.value)) {
    case 'text':
      return textControl(options)
    case 'number':
      return numberControl(options)
    case 'boolean':
      return options.required || options.value !== undefined
        ? checkControl(options)
        : choiceControl(options, [{ value: true }, { value: false }])
    case 'choice':
      return choiceControl(options, titledChoicesOf(options.schema) ?? [])
    default:
      return jsonControl(options)
  }
}

function textControl({ schema, value, required, attributes }: FormControlOptions): FormControl {
  const start = typeof value === 'string' ? value : ''
  // A field of one line would drop line ends without a word.
  const isLong = start.length > maxLineLength || /[\r\n]/.test(start) || Number(schema.maxLength) > 200
  const target = isLong
    ? area(attributes, start)
    : makeElement('input', { ...attributes, type: 'text', autocomplete: 'off' })
  target.dir = 'auto'
  // Nothing was proposed, so an empty field is one that was not filled in.
  const empty = required && value !== undefined ? '' : undefined
  return written(target, start, value, (text) => ({ value: text === '' ? empty : text }))
}

// Not type="number": that one hides what it cannot read, and rounds.
function numberControl({ value, attributes, texts }: FormControlOptions): FormControl {
  const target = makeElement('input', {
    ...attributes,
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
  })
  const start = value === undefined ? '' : JSON.stringify(value)
  return written(target, start, value, (text) =>
    text.trim() === '' ? { value: undefined } : readNumber(text.trim(), texts),
  )
}

function jsonControl({ value, attributes, texts }: FormControlOptions): FormControl {
  const start = value === undefined ? '' : printJson(value)
  const target = area({ ...attributes, class: 'code-field' }, start)
  return written(target, start, value, (text) =>
    text.trim() === '' ? { value: undefined } : readJson(text, texts),
  )
}

function area(attributes: FormControlOptions['attributes'], text: string): HTMLTextAreaElement {
  const rows = Math.min(10, Math.max(2, text.split('\n').length, Math.ceil(text.length / maxLineLength)))
  return makeElement('textarea', {
    ...attributes,
    rows: String(rows),
    spellcheck: 'false',
    autocomplete: 'off',
  })
}

// The browser changes line ends in a field: as long as the person changed nothing, the value is as it was.
function written(
  target: HTMLInputElement | HTMLTextAreaElement,
  start: string,
  value: JsonValue | undefined,
  read: (text: string) => Reading,
): FormControl {
  target.value = start
  const untouched = target.value
  return {
    element: target,
    target,
    read: () => (target.value === untouched ? { value } : read(target.value)),
  }
}

function checkControl({ value, attributes }: FormControlOptions): FormControl {
  const target = makeElement('input', { ...attributes, type: 'checkbox' })
  target.checked = value === true
  return { element: target, target, read: () => ({ value: target.checked }) }
}

function choiceControl(
  { value, required, attributes, texts }: FormControlOptions,
  choices: readonly TitledChoice[],
): FormControl {
  const values = choices.map((one) => one.value)
  const allTexts = values.every((one) => typeof one === 'string')
  const label = ({ value: one, title }: TitledChoice) => {
    const own = allTexts ? String(one) : JSON.stringify(one)
    // The value is what is sent, whatever it is called.
    return typeof title === 'string' && title !== '' && title !== own ? `${title} (${own})` : own
  }
  const option = (one: TitledChoice, index: number) =>
    makeElement('option', { value: String(index) }, oneLine(label(one)))
  const target = makeElement('select', { ...attributes, autocomplete: 'off' })
  if (!required || value === undefined) target.append(makeElement('option', { value: '' }, texts.notSet))
  target.append(...choices.map(option))
  const start =
    value === undefined ? -1 : values.findIndex((one) => canonicalJson(one) === canonicalJson(value))
  target.value = start < 0 ? '' : String(start)
  return {
    element: target,
    target,
    read: () => ({ value: target.value === '' ? undefined : values[Number(target.value)] }),
  }
}

// An option holds nothing but text: the labels stand in it.
function oneLine(text: string): string {
  return literalPieces(text)
    .map(({ label }) => label)
    .join('')
}
