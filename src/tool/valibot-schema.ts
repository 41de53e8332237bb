import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { getDescription } from 'valibot'
import { isRecord, joinPath } from './json-value.ts'
import type { ConvertedSchema } from './standard-json-schema.ts'

type ValibotSchema = Parameters<typeof toJsonSchema>[0]

/**
 * Checks and input-preserving steps that JSON Schema cannot say. The validator still enforces every one
 * of them; the model learns of a broken rule from the error it gets back.
 */
const checkedByValidatorOnly = [
  ...['trim', 'trim_start', 'trim_end', 'normalize', 'to_lower_case', 'to_upper_case'],
  ...['to_camel_case', 'to_kebab_case', 'to_pascal_case', 'to_snake_case', 'to_min_value', 'to_max_value'],
  ...['brand', 'flavor', 'readonly', 'guard', 'sort_items', 'finite', 'ip', 'imei', 'isbn', 'credit_card'],
  ...['check', 'check_async', 'raw_check', 'raw_check_async', 'partial_check', 'partial_check_async'],
  ...['check_items', 'check_items_async', 'every_item', 'some_item', 'excludes', 'iso_date_time_second'],
  ...['bytes', 'max_bytes', 'min_bytes', 'not_bytes', 'words', 'max_words', 'min_words', 'not_words'],
  ...['graphemes', 'max_graphemes', 'min_graphemes', 'not_graphemes', 'not_length', 'not_entries'],
  ...['code_points', 'max_code_points', 'min_code_points', 'not_code_points'],
]

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  errorMode: 'throw',
  ignoreActions: checkedByValidatorOnly,
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

function descriptionOf(schema: unknown): string | undefined {
  if (!isValibotSchema(schema)) return undefined
  return getDescription(schema) ?? ('wrapped' in schema ? descriptionOf(schema.wrapped) : undefined)
}

/** Whether a value is a Valibot schema (and not a Valibot action, or another library's schema). */
export function isValibotSchema(value: unknown): value is ValibotSchema {
  return (
    isRecord(value) &&
    value.kind === 'schema' &&
    isRecord(value['~standard']) &&
    value['~standard'].vendor === 'valibot'
  )
}

/** Converts a Valibot schema; what cannot be expressed is a reason with its path. */
export function convertValibotSchema(schema: ValibotSchema): ConvertedSchema {
  const converted = convert(schema)
  if ('jsonSchema' in converted) return converted
  return findCulprit(schema, '', converted.reason)
}

function convert(schema: ValibotSchema): { jsonSchema: object } | { reason: string } {
  try {
    return { jsonSchema: toJsonSchema(schema, config) }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) }
  }
}

// The converter's message has no path, so the schema is taken apart until no smaller part fails.
function findCulprit(schema: ValibotSchema, path: string, reason: string): { path: string; reason: string } {
  for (const [key, child] of children(schema)) {
    const converted = convert(child)
    if ('reason' in converted) {
      return findCulprit(child, key === undefined ? path : joinPath(path, key), converted.reason)
    }
  }
  return { path, reason }
}

function children(schema: ValibotSchema): [key: string | undefined, child: ValibotSchema][] {
  const parts = schema as unknown as Record<string, unknown>
  const list: [string | undefined, unknown][] = []
  if (isRecord(parts.entries)) list.push(...Object.entries(parts.entries))
  list.push(['*', parts.item], [undefined, parts.wrapped], ['*', parts.rest], ['*', parts.value])
  for (const [index, item] of asArray(parts.items).entries()) list.push([String(index), item])
  for (const option of asArray(parts.options)) list.push([undefined, option])
  for (const step of asArray(parts.pipe).slice(0, 1)) list.push([undefined, step])
  return list.filter((pair): pair is [string | undefined, ValibotSchema] => isValibotSchema(pair[1]))
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
