import type { JsonValue } from '../tool/json-value.ts'
import type { FormControl, FormControlOptions, Reading } from './form-control.ts'
import { makeElement } from './make-element.ts'
import { asSchema, kindOf } from './schema-kind.ts'
import { smallButton } from './small-button.ts'
import { valueControl } from './value-controls.ts'

interface ListItem {
  readonly element: HTMLElement
  readonly control: FormControl
  readonly remove: HTMLButtonElement
}

/** The control for a list of simple values: one row for each, to be changed, removed and added. */
export function listControl(options: FormControlOptions): FormControl {
  const { schema, value, texts, attributes, changed, required } = options
  const itemSchema = asSchema(schema.items)
  const items: ListItem[] = []
  const rows = makeElement('div', { class: 'items' })
  const addItem = (itemValue: JsonValue | undefined): FormControl => {
    const item = listItem({ ...options, schema: itemSchema, value: itemValue }, () => {
      const index = items.indexOf(item)
      items.splice(index, 1)
      item.element.remove()
      // The focus must not fall out of the dialog.
      const next = items[index] ?? items.at(-1)
      ;(next?.remove ?? add).focus()
      nameItems(items, texts)
      changed()
    })
    items.push(item)
    rows.append(item.element)
    nameItems(items, texts)
    return item.control
  }
  const add = smallButton(texts.addItem, () => {
    // An empty text is an item like any other.
    addItem(kindOf(itemSchema, undefined) === 'text' ? '' : undefined).target.focus()
    changed()
  })
  const wasThere = Array.isArray(value)
  if (wasThere) for (const itemValue of value) addItem(itemValue)
  const isAbsent = () => items.length === 0 && !wasThere && !required
  const group = { ...attributes, class: 'list', role: 'group', tabindex: '-1' }
  const element = makeElement('div', group, rows, add)
  const read = () => (isAbsent() ? { value: undefined } : readItems(items, options))
  return { element, target: element, read }
}

function listItem(options: FormControlOptions, removed: () => void): ListItem {
  const control = valueControl({ ...options, required: true, attributes: {} })
  const remove = smallButton(options.texts.removeGroup, removed)
  return { element: makeElement('div', { class: 'item' }, control.element, remove), control, remove }
}

// By place, so after each change.
function nameItems(items: readonly ListItem[], texts: FormControlOptions['texts']): void {
  for (const [index, { control, remove }] of items.entries()) {
    control.target.ariaLabel = texts.item(index + 1)
    remove.ariaLabel = texts.removeItem(index + 1)
  }
}

function readItems(items: readonly ListItem[], { texts }: FormControlOptions): Reading {
  const values: JsonValue[] = []
  for (const [index, { control }] of items.entries()) {
    const { value, problem } = control.read()
    if (problem !== undefined) return { problem: `${texts.item(index + 1)}: ${problem}` }
    if (value === undefined) return { problem: `${texts.item(index + 1)}: ${texts.empty}` }
    values.push(value)
  }
  return { value: values }
}
