import type { JsonObject, JsonValue } from '../tool/json-value.ts'
import type { DialogTexts } from './dialog-texts.ts'
import { foldable, foldableList, literalElement, literalText } from './literal-view.ts'
import { makeElement } from './make-element.ts'

/** More top-level fields than this are folded away. */
const maxFields = 12

/** The literal input: one row for each top-level field, in the order in which they will be sent. */
export function inputView(input: JsonObject, texts: DialogTexts): readonly HTMLElement[] {
  const fields = Object.entries(input)
  if (fields.length === 0) return [makeElement('p', { class: 'quiet' }, texts.noInput)]
  return foldableList(fields, maxFields, texts, (some) => {
    const list = makeElement('dl', { class: 'fields', part: 'input' })
    for (const [name, value] of some) list.append(fieldRow(name, value, texts))
    return list
  })
}

function fieldRow(name: string, value: JsonValue, texts: DialogTexts): HTMLElement {
  return makeElement(
    'div',
    { class: 'field', part: 'field' },
    makeElement('dt', {}, literalText(name, texts)),
    makeElement('dd', {}, valueView(value, texts)),
  )
}

/** One value, letter for letter: a text in quotation marks, anything else as JSON. */
export function valueView(value: JsonValue, texts: DialogTexts): HTMLElement {
  if (typeof value === 'string') {
    return foldable(value, texts, () => quoted(literalElement(value)))
  }
  if (value === null || typeof value !== 'object') return makeElement('div', {}, JSON.stringify(value))
  return foldable(JSON.stringify(value), texts, () => {
    const json = makeElement('div', { class: 'json' })
    appendJson(json, value, '\n')
    return json
  })
}

// The quotation marks tell "5" from 5, and show where a text ends.
function quoted(text: HTMLElement): HTMLElement {
  return makeElement('div', {}, quotationMark(), text, quotationMark())
}

function quotationMark(): HTMLElement {
  return makeElement('span', { class: 'quote' }, '"')
}

// Indented JSON. Each string is an element of its own, so that right-to-left text in one of them cannot
// reorder the brackets, commas and names around it.
function appendJson(target: HTMLElement, value: JsonValue, newLine: string): void {
  if (typeof value === 'string') target.append(literalElement(JSON.stringify(value)))
  else if (value === null || typeof value !== 'object') target.append(JSON.stringify(value))
  else appendMembers(target, value, newLine)
}

function appendMembers(target: HTMLElement, value: JsonObject | readonly JsonValue[], newLine: string): void {
  const isList = Array.isArray(value)
  const members: [string, JsonValue][] = Object.entries(value)
  const [open, close] = isList ? (['[', ']'] as const) : (['{', '}'] as const)
  target.append(open)
  const inner = `${newLine}  `
  for (const [index, [name, member]] of members.entries()) {
    target.append(index === 0 ? inner : `,${inner}`)
    if (!isList) target.append(literalElement(JSON.stringify(name)), ': ')
    appendJson(target, member, inner)
  }
  target.append((members.length === 0 ? '' : newLine) + close)
}
