import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import { errorToData } from './error-data.ts'
import { isRecord, joinPath } from './json-value.ts'
import type { ConvertedSchema } from './standard-json-schema.ts'

type ValibotSchema = Parameters<typeof toJsonSchema>[0]

/** Steps that change a value but neither its type nor what may be sent. JSON Schema cannot say them. */
const quietSteps = [
  ...['trim', 'trim_start', 'trim_end', 'normalize', 'to_lower_case', 'to_upper_case', 'to_camel_case'],
  ...['to_kebab_case', 'to_pascal_case', 'to_snake_case', 'to_min_value', 'to_max_value', 'sort_items'],
  ...['brand', 'flavor', 'readonly', 'guard'],
]

const config: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  ignoreActions: quietSteps,
  // Checks that JSON Schema has no word for. The validator still enforces every one of them; the model learns
  // of a broken rule from the error it gets back.
  overrideAction: ({ valibotAction, jsonSchema, errors }) =>
    valibotAction.kind === 'validation' && errors?.every((error) => error.includes('cannot be converted'))
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
  const steps = Array.isArray(pipe) ? pipe.map(descriptionOf) : []
  return steps.findLast((found) => found !== undefined) ?? descriptionOf(wrapped)
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

/**
 * Converts a Valibot schema; what cannot be expressed is a reason with its path. The converter's message has no
 * path, so the schema is taken apart until no smaller part fails.
 */
export function convertValibotSchema(schema: ValibotSchema, path = ''): ConvertedSchema {
  try {
    return { jsonSchema: toJsonSchema(schema, config) }
  } catch (error) {
    for (const [key, child] of children(schema)) {
      const converted = convertValibotSchema(child, key === undefined ? path : joinPath(path, key))
      if ('reason' in converted) return converted
    }
    return { path, reason: errorToData(error).message }
  }
}

/** The parts of a schema, with their keys in a value. */
function children(schema: ValibotSchema): [key: string | undefined, child: ValibotSchema][] {
  const { entries, item, wrapped, rest, value, items, options, pipe } = schema as unknown as SchemaParts
  const list: [string | undefined, unknown][] = [
    ...Object.entries(entries ?? {}),
    ...[item, rest, value].map((part): ['*', unknown] => ['*', part]),
    ...Object.entries(items ?? {}),
    ...[wrapped, ...(options ?? []), pipe?.[0]].map((part): [undefined, unknown] => [undefined, part]),
  ]
  return list.filter((pair): pair is [string | undefined, ValibotSchema] => isValibotSchema(pair[1]))
}

/** What the schemas that consist of others hold them in. */
interface SchemaParts {
  readonly entries?: object
  readonly item?: unknown
  readonly wrapped?: unknown
  readonly rest?: unknown
  readonly value?: unknown
  readonly items?: readonly unknown[]
  readonly options?: readonly unknown[]
  readonly pipe?: readonly unknown[]
}
