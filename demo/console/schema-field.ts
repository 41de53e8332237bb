import type { JsonObject, JsonValue } from 'offstage'
import { type Attributes, element } from '../shared/element.ts'

/** What a field holds: a value, nothing (`undefined`: left out of the input), or a text that is no JSON. */
export type FieldValue = { readonly value: JsonValue | undefined } | { readonly problem: string }

/** One property of a schema as a field of a form. */
export interface SchemaField {
  readonly element: HTMLElement
  read(): FieldValue
}

interface Control {
  readonly element: HTMLElement
  read(): FieldValue
}

/** What a field is made from. */
export interface FieldOptions {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

/** Makes the field that fits a property's schema; whatever has no better one is written as JSON. */
export function schemaField(options: FieldOptions): SchemaField {
  const { name, schema, required } = options
  const id = `field-${name}`
  const hint = [typeWords(schema), typeof schema.description === 'string' ? schema.description : '']
  const problem = element('p', { class: 'problem', id: `${id}-problem` })
  const control = makeControl(options, { id, 'aria-describedby': `${id}-hint ${id}-problem` })
  const field = element(
    'div',
    { class: 'field' },
    element(
      'label',
      { for: id },
      element('span', { class: 'field-name' }, name),
      ' ',
      element('span', { class: required ? 'required' : 'optional' }, required ? 'required' : 'optional'),
    ),
    element('p', { class: 'hint', id: `${id}-hint` }, hint.filter((part) => part !== '').join(' · ')),
    control.element,
    problem,
  )
  const read = () => {
    const value = control.read()
    problem.textContent = 'problem' in value ? value.problem : ''
    control.element.ariaInvalid = String('problem' in value)
    return value
  }
  return { element: field, read }
}

/** What a schema asks for, in a few words. */
function typeWords({ type, minimum, maximum, ...schema }: JsonObject): string {
  if (Array.isArray(schema.enum)) return 'one of the list'
  const range = [
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
  ]
  const words = type === 'array' || type === 'object' || type === undefined ? 'JSON' : ''
  return [String(type ?? 'any value'), words, ...range].filter((part) => part !== '').join(', ')
}

function makeControl({ schema, required }: FieldOptions, attributes: Attributes): Control {
  const optional = !required && schema.default === undefined
  if (Array.isArray(schema.enum)) return choice(schema.enum, schema.default, optional, attributes)
  if (schema.type === 'boolean') {
    return optional
      ? choice([true, false], undefined, true, attributes)
      : checkbox(schema.default === true, attributes)
  }
  if (schema.type === 'number' || schema.type === 'integer') return numberInput(schema, attributes)
  if (schema.type === 'string') return textInput(schema, required, attributes)
  return jsonArea(schema, attributes)
}

function choice(
  values: readonly JsonValue[],
  fallback: JsonValue | undefined,
  optional: boolean,
  attributes: Attributes,
): Control {
  const options = values.map((value) =>
    element('option', { value: JSON.stringify(value), selected: value === fallback }, String(value)),
  )
  const none = element('option', { value: '' }, 'not set')
  const select = element('select', attributes, ...(optional ? [none] : []), ...options)
  const read = () => ({ value: select.value === '' ? undefined : (JSON.parse(select.value) as JsonValue) })
  return { element: select, read }
}

function checkbox(checked: boolean, attributes: Attributes): Control {
  const box = element('input', { ...attributes, type: 'checkbox', checked })
  return { element: box, read: () => ({ value: box.checked }) }
}

function numberInput(schema: JsonObject, attributes: Attributes): Control {
  const input = element('input', { ...attributes, type: 'number', step: 'any', autocomplete: 'off' })
  if (schema.default !== undefined) input.value = String(schema.default)
  const read = (): FieldValue => {
    if (input.validity.badInput) return { problem: 'This is not a number.' }
    return { value: input.value === '' ? undefined : input.valueAsNumber }
  }
  return { element: input, read }
}

// An empty required text is sent as it is: the tool's schema, not the form, decides about it.
function textInput(schema: JsonObject, required: boolean, attributes: Attributes): Control {
  const input = element('input', { ...attributes, type: 'text', autocomplete: 'off', dir: 'auto' })
  if (typeof schema.default === 'string') input.value = schema.default
  return {
    element: input,
    read: () => ({ value: input.value === '' && !required ? undefined : input.value }),
  }
}

function jsonArea(schema: JsonObject, attributes: Attributes): Control {
  const area = element('textarea', { ...attributes, rows: '3', spellcheck: 'false', autocomplete: 'off' })
  area.placeholder = example(schema)
  if (schema.default !== undefined) area.value = JSON.stringify(schema.default)
  const read = (): FieldValue => {
    if (area.value.trim() === '') return { value: undefined }
    try {
      return { value: JSON.parse(area.value) as JsonValue }
    } catch (error) {
      return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
    }
  }
  return { element: area, read }
}

function example({ type, properties }: JsonObject): string {
  if (type === 'array') return '[ … ]'
  if (typeof properties !== 'object' || properties === null) return '{ … }'
  return `{ ${Object.keys(properties)
    .map((key) => `"${key}": …`)
    .join(', ')} }`
}
