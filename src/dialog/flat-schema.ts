import { isForbiddenKey, type JsonObject, type JsonValue } from '../tool/json-value.ts'
import { asList, isStringList } from '../tool/value-kinds.ts'
import { asSchema, choicesOf, propertiesOf } from './schema-kind.ts'

/** More fields than this in one question are refused: nobody fills them in. */
const maxFields = 50

/** The only formats of the protocol. */
const formats: readonly unknown[] = ['email', 'uri', 'date', 'date-time']

/**
 * The schema of a server's question as a form is made from it: only what the protocol knows (MCP 2025-11-25,
 * "Requested Schema": a flat object of texts, numbers, yes or no, and choices) and nothing else of what a server may
 * write, such as patterns that a page would have to run.
 *
 * @throws Error for a field of another kind: it could not be answered.
 */
export function flatSchema(requested: JsonObject): JsonObject {
  const entries = [...propertiesOf(requested)].map(([name, field]) => {
    const flat = isForbiddenKey(name) ? undefined : flatField(field)
    if (flat === undefined) {
      throw new Error(`The server asks for "${name}", which is no text, number, yes or no, or choice.`)
    }
    return [name, flat] as const
  })
  if (entries.length > maxFields) throw new Error(`The server asks for ${entries.length} fields at once.`)
  const names = entries.map(([name]) => name)
  const required = asList(requested.required).filter((name) => names.includes(name as string)) as string[]
  return { type: 'object', properties: Object.fromEntries(entries), required }
}

function flatField(field: JsonObject): JsonObject | undefined {
  const shape = shapeOf(field)
  if (shape === undefined) return undefined
  // The name is the label of a field in a form.
  const words = [field.title, field.description].filter((text) => typeof text === 'string' && text !== '')
  return words.length === 0 ? shape : { ...shape, description: words.join(' – ') }
}

function shapeOf(field: JsonObject): JsonObject | undefined {
  switch (field.type) {
    case 'number':
    case 'integer':
      return { type: field.type, ...taken(field, 'number', ['minimum', 'maximum', 'default']) }
    case 'boolean':
      return { type: 'boolean', ...taken(field, 'boolean', ['default']) }
    case 'array':
      return listOf(field)
    case 'string':
    case undefined:
      return textOf(field)
    default:
      return undefined
  }
}

function textOf(field: JsonObject): JsonObject | undefined {
  const fallback = taken(field, 'string', ['default'])
  const choices = choicesIn(field)
  if (choices !== undefined) return { ...choices, ...fallback }
  if (field.type === undefined || 'oneOf' in field || 'anyOf' in field || 'enum' in field) return undefined
  const format = formats.includes(field.format) ? taken(field, 'string', ['format']) : {}
  return { type: 'string', ...taken(field, 'number', ['minLength', 'maxLength']), ...format, ...fallback }
}

function listOf(field: JsonObject): JsonObject | undefined {
  const items = choicesIn(asSchema(field.items))
  if (items === undefined) return undefined
  const fallback = isStringList(field.default) ? { default: field.default } : {}
  return { type: 'array', items, ...taken(field, 'number', ['minItems', 'maxItems']), ...fallback }
}

/** A choice of texts, each with its title: `oneOf`, `anyOf`, or `enum` with the older `enumNames`. */
function choicesIn(schema: JsonObject): JsonObject | undefined {
  const values = choicesOf(schema)
  if (!isStringList(values) || values.length === 0 || 'const' in schema) return undefined
  const titles = Array.isArray(schema.enum)
    ? asList(schema.enumNames)
    : asList(schema.oneOf ?? schema.anyOf).map((branch) => asSchema(branch).title)
  return {
    oneOf: values.map((value, index) => {
      const title = titles[index]
      return typeof title === 'string' ? { const: value, title } : { const: value }
    }),
  }
}

function taken(field: JsonObject, type: string, names: readonly string[]): Record<string, JsonValue> {
  const known: Record<string, JsonValue> = {}
  for (const name of names) {
    const value = field[name]
    if (value !== undefined && typeof value === type) known[name] = value
  }
  return known
}
