import { type JsonObject, type JsonValue, joinPath } from '../tool/json-value.ts'
import { isRecord } from '../tool/value-kinds.ts'
import type { FormControl, FormControlOptions, Reading } from './form-control.ts'
import {
  type FieldKind,
  type FormField,
  type FormFieldOptions,
  formField,
  isOtherValue,
} from './form-field.ts'
import type { FormTexts } from './form-texts.ts'
import { listControl } from './list-control.ts'
import { makeElement } from './make-element.ts'
import { isRequired, kindOf, propertiesOf } from './schema-kind.ts'
import { smallButton } from './small-button.ts'
import { valueControl } from './value-controls.ts'

/** A form for one object. */
export interface SchemaForm {
  readonly element: HTMLElement
  /** All fields that are there now, those of objects in it too, each object before its fields. */
  fields(): readonly FormField[]
  read(): Reading<JsonObject>
}

/** What a form is made from. */
export interface SchemaFormOptions {
  /** Schema of an object. */
  readonly schema: JsonObject
  /** Dotted path of the object in the input. */
  readonly path: string
  readonly proposed: JsonObject | undefined
  readonly value: JsonObject
  /** Whether the schema's defaults are filled in where there is no value. */
  readonly withDefaults: boolean
  /** Whether there was a proposal, from which fields can differ. */
  readonly compare: boolean
  readonly texts: FormTexts
  changed(): void
}

/** Objects in objects have a form as deep as this; below they are written as JSON. */
const maxDepth = 2

/** A part of a form: one field, or an object with its fields. */
interface FormPart {
  readonly field: FormField
  inner(): readonly FormField[]
}

/** Makes a form with one field for each property of a schema, and one for each further key of the object. */
export function schemaForm(options: SchemaFormOptions, depth = 0): SchemaForm {
  const { schema, path, proposed = {}, value, withDefaults } = options
  const properties = propertiesOf(schema)
  const names = new Set([...properties.keys(), ...Object.keys(proposed), ...Object.keys(value)])
  const parts = [...names].map((name): readonly [string, FormPart] => {
    const ownSchema = properties.get(name) ?? {}
    const fallback = withDefaults ? ownSchema.default : undefined
    const present = own(value, name)
    const fieldOptions: FormFieldOptions = {
      ...options,
      name,
      path: joinPath(path, name),
      schema: ownSchema,
      required: isRequired(schema, name),
      proposed: own(proposed, name),
      value: present === undefined ? fallback : present,
    }
    return [name, formPart(fieldOptions, withDefaults, depth)]
  })
  return {
    element: makeElement(
      'div',
      { class: 'form', part: 'form' },
      ...parts.map(([, { field }]) => field.element),
    ),
    fields: () => parts.flatMap(([, { field, inner }]) => [field, ...inner()]),
    read: () => readParts(parts),
  }
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function readParts(parts: readonly (readonly [string, FormPart])[]): Reading<JsonObject> {
  const members: [string, JsonValue][] = []
  for (const [name, { field }] of parts) {
    const { value, problem } = field.read()
    if (problem !== undefined) return { problem }
    if (value !== undefined) members.push([name, value])
  }
  return { value: Object.fromEntries(members) }
}

function formPart(options: FormFieldOptions, withDefaults: boolean, depth: number): FormPart {
  const { schema, value, proposed } = options
  const isGroup = [value, proposed].every((one) => kindOf(schema, one) === 'group')
  if (isGroup && depth < maxDepth) return groupPart(options, withDefaults, depth + 1)
  return { field: formField(options, leaf), inner: () => [] }
}

const leaf: FieldKind = {
  makeControl: (options) =>
    kindOf(options.schema, options.value) === 'list' ? listControl(options) : valueControl(options),
  differs: isOtherValue,
}

function groupPart(options: FormFieldOptions, withDefaults: boolean, depth: number): FormPart {
  const { schema, path, proposed, compare, texts, changed, required } = options
  let form: SchemaForm | undefined
  const formOf = (value: JsonObject, fresh: boolean) => {
    const shared = { schema, path, compare, texts, changed }
    return schemaForm({ ...shared, proposed: asObject(proposed), value, withDefaults: fresh }, depth)
  }
  const makeControl = ({ value, attributes }: FormControlOptions): FormControl => {
    const target = makeElement('div', { ...attributes, class: 'group', role: 'group', tabindex: '-1' })
    const place = (next: SchemaForm | undefined) => {
      form = next
      target.replaceChildren(
        ...(form === undefined ? [add] : required ? [form.element] : [form.element, remove]),
      )
    }
    const add = smallButton(texts.addGroup, () => {
      place(formOf({}, true))
      target.focus()
      changed()
    })
    const remove = smallButton(texts.removeGroup, () => {
      place(undefined)
      add.focus()
      changed()
    })
    const start = value ?? (required && proposed === undefined ? {} : undefined)
    place(start === undefined ? undefined : formOf(asObject(start) ?? {}, withDefaults))
    return { element: target, target, read: () => form?.read() ?? { value: undefined } }
  }
  // The fields say themselves what differs in them; left for the object is whether it is there.
  const differs = (before: JsonValue | undefined) => (before === undefined) !== (form === undefined)
  return { field: formField(options, { makeControl, differs }), inner: () => form?.fields() ?? [] }
}

function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isRecord(value) ? (value as JsonObject) : undefined
}
