import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { isRecord, joinPath } from './json-value.ts'

type ValibotSchema = Parameters<typeof toJsonSchema>[0]

/**
 * Checks and input-preserving steps that JSON Schema cannot say. The validator still enforces every one
 * of them; the model learns of a broken rule from the error it gets back.
 */
const checkedByValidatorOnly = [
  'trim',
  'trim_start',
  'trim_end',
  'to_lower_case',
  'to_upper_case',
  'normalize',
  'brand',
  'flavor',
  'readonly',
  'finite',
  'ip',
  'check',
  'check_async',
  'raw_check',
  'raw_check_async',
  'partial_check',
  'partial_check_async',
  'check_items',
  'check_items_async',
  'every_item',
  'some_item',
  'max_bytes',
  'min_bytes',
  'max_graphemes',
  'min_graphemes',
  'max_words',
  'min_words',
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
    if (valibotSchema.type === 'loose_object') return { ...jsonSchema, additionalProperties: true }
    return undefined
  },
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

/** The JSON Schema of what a model may send, or the place and the reason why there is none. */
export function convertValibotSchema(
  schema: ValibotSchema,
): { readonly jsonSchema: object } | { readonly path: string; readonly reason: string } {
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
  list.push(['0', parts.item], [undefined, parts.wrapped], ['*', parts.rest], ['*', parts.value])
  for (const [index, item] of asArray(parts.items).entries()) list.push([String(index), item])
  for (const option of asArray(parts.options)) list.push([undefined, option])
  for (const step of asArray(parts.pipe).slice(0, 1)) list.push([undefined, step])
  return list.filter((pair): pair is [string | undefined, ValibotSchema] => isValibotSchema(pair[1]))
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
