import type { JsonObject, JsonValue } from 'offstage'
import { element } from '../shared/element.ts'
import { type SchemaField, schemaField } from './schema-field.ts'

/** A form made from the JSON Schema of a tool's input. */
export interface SchemaForm {
  readonly element: HTMLElement
  /** The input as it stands there; undefined, with the focus on the field, when one of them cannot be read. */
  read(): JsonObject | undefined
}

/** Makes a form with one field for each property. */
export function schemaForm(schema: JsonObject): SchemaForm {
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = properties.map(([name, property]): [string, SchemaField] => [
    name,
    schemaField({ name, schema: isObject(property) ? property : {}, required: required.includes(name) }),
  ])
  const nothing = element('p', { class: 'empty' }, 'This tool takes no input.')
  const form = element('div', { class: 'fields' }, ...fields.map(([, field]) => field.element))
  if (fields.length === 0) form.append(nothing)
  return { element: form, read: () => readAll(fields) }
}

function readAll(fields: readonly (readonly [string, SchemaField])[]): JsonObject | undefined {
  const input: Record<string, JsonValue> = {}
  let unreadable: HTMLElement | undefined
  for (const [name, field] of fields) {
    const found = field.read()
    if ('problem' in found) unreadable ??= field.element
    else if (found.value !== undefined) input[name] = found.value
  }
  if (unreadable === undefined) return input
  unreadable.querySelector<HTMLElement>('input, select, textarea')?.focus()
  return undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
