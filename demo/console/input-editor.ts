import type { ToolDefinition } from 'offstage'
import { jsonText } from '../shared/code-view.ts'
import { element } from '../shared/element.ts'
import { type SchemaForm, schemaForm } from './schema-form.ts'

/** Where the input of a call is written: in a form, or as JSON. */
export interface InputEditor {
  readonly element: HTMLElement
  /** Makes the form of a tool. */
  edit(definition: ToolDefinition): void
  /** An object from the form, the text as it is from the raw field, or undefined when a field cannot be read. */
  read(): unknown
}

/** Makes an editor that shows the form first. */
export function inputEditor(): InputEditor {
  const raw = element('textarea', { id: 'console-raw', rows: '9', spellcheck: 'false', autocomplete: 'off' })
  const rawField = element(
    'div',
    { class: 'field' },
    element('label', { for: 'console-raw' }, 'Input, as a model would write it'),
    raw,
  )
  const place = element('div', {})
  let form: SchemaForm | undefined
  let rawMode = false
  const show = () => place.replaceChildren(...(rawMode || form === undefined ? [rawField] : [form.element]))
  const choose = (toRaw: boolean) => {
    if (toRaw === rawMode) return
    rawMode = toRaw
    // What stands in the form is a good start; back again, the form is as it was left.
    const input = toRaw ? form?.read() : undefined
    if (input !== undefined) raw.value = jsonText(input)
    show()
  }
  return {
    element: element('div', { class: 'editor' }, modes(choose), place),
    edit: ({ inputSchema }) => {
      form = schemaForm(inputSchema)
      raw.value = jsonText(form.read() ?? {})
      show()
    },
    read: () => (rawMode ? raw.value : form?.read()),
  }
}

function modes(choose: (raw: boolean) => void): HTMLElement {
  const mode = (label: string, isRaw: boolean) => {
    const radio = element('input', { type: 'radio', name: 'console-mode', checked: !isRaw })
    radio.addEventListener('change', () => choose(isRaw))
    return element('label', {}, radio, label)
  }
  return element(
    'fieldset',
    { class: 'modes' },
    element('legend', {}, 'Write the input'),
    mode('in a form', false),
    mode('as raw JSON', true),
  )
}
