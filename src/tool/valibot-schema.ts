import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { StandardSchema } from './standard-schema.ts'
import { asList, isRecord } from './value-kinds.ts'

type ValibotSchema = Parameters<typeof toJsonSchema>[0]

/** Steps that change a value but neither its type nor what may be sent. JSON Schema cannot say them. */
const quietStep = /^(trim|normalize|to_|sort_items|brand|flavor|readonly|guard)/

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // And checks that JSON Schema has no word for. The validator still enforces every one of them; the model learns
  // of a broken rule from the error it gets back.
  overrideAction: ({ valibotAction: { kind, type }, jsonSchema, errors }) =>
    (kind === 'validation' || quietStep.test(type)) &&
    errors?.every((error) => error.includes('cannot be converted'))
      ? jsonSchema
      : undefined,
  overrideSchema: ({ valibotSchema, jsonSchema, errors }) => {
    if (errors !== undefined) return undefined
    // toJsonSchema calls a function default once and would freeze that one value into the schema.
    if ('default' in valibotSchema && typeof valibotSchema.default === 'function') {
      const { default: _frozen, ...rest } = jsonSchema
      return rest
    }
    if (!('entries' in valibotSchema)) return undefined
    describeMembers(valibotSchema.entries, jsonSchema.properties)
    return valibotSchema.type === 'loose_object' ? { ...jsonSchema, additionalProperties: true } : undefined
  },
}

// The conversion stops at the first step that changes the type; the description often stands behind it.
function describeMembers(entries: unknown, properties: unknown): void {
  if (!isRecord(entries) || !isRecord(properties)) return
  for (const [key, entry] of Object.entries(entries)) {
    const property = properties[key]
    const description = descriptionOf(entry)
    if (isRecord(property) && description !== undefined) property.description ??= description
  }
}

/** The last description in a schema's own steps, else in what it wraps. */
function descriptionOf(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined
  const { type, description, pipe, wrapped } = part
  if (type === 'description') return String(description)
  const found = asList(pipe).map(descriptionOf)
  return found.findLast((text) => text !== undefined) ?? descriptionOf(wrapped)
}

/** Whether a schema is one of Valibot's, and not of another library. */
export function isValibotSchema(schema: StandardSchema): schema is StandardSchema & ValibotSchema {
  return schema['~standard'].vendor === 'valibot'
}

/** A Valibot schema as JSON Schema: what a model may send. Throws for what cannot be expressed. */
export function describeValibotSchema(schema: ValibotSchema): unknown {
  return toJsonSchema(schema, config)
}
