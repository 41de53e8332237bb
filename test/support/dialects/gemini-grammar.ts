import { isSchema, type Schema, strangeKeywords, walkSchema } from './walk-schema.ts'

// What Gemini takes in the field `parameters`: notes/platform.md §6, "Provider limits", column Gemini, cases A06, A11 and
// A15, and https://ai.google.dev/api/caching#Schema. Written down apart from the library.

interface Sent {
  readonly name: string
  readonly description: string
  readonly parameters?: unknown
}

/** What Gemini would refuse of a function declaration; nothing when it takes it. */
export function geminiFaults({ name, description, parameters }: Sent): string[] {
  const isNamed = /^[a-zA-Z_][\w.:-]{0,63}$/.test(name)
  return [
    ...(isNamed ? [] : [`name ${name}`]),
    ...(typeof description === 'string' ? [] : ['no description']),
    ...(parameters === undefined ? [] : parameterFaults(parameters)),
  ]
}

const keywords = [
  ...[
    'type',
    'format',
    'title',
    'description',
    'nullable',
    'enum',
    'anyOf',
    'properties',
    'required',
    'items',
  ],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern'],
  ...['minimum', 'maximum'],
]
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array']
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

function parameterFaults(root: unknown): string[] {
  if (!isSchema(root)) return ['no schema']
  const names = isSchema(root.properties) ? Object.keys(root.properties) : []
  return [
    ...(root.type === 'object' ? [] : [`root of type ${root.type}`]),
    ...(names.length > 0 ? [] : ['properties: should be non-empty for OBJECT type']),
    ...('anyOf' in root ? ['anyOf at the root'] : []),
    ...walkSchema(root, nodeFaults),
  ]
}

function nodeFaults(node: Schema): string[] {
  const { type, enum: values, required = [] } = node
  const names = isSchema(node.properties) ? Object.keys(node.properties) : []
  return [
    ...strangeKeywords(node, keywords),
    ...('anyOf' in node
      ? unionFaults(node)
      : types.includes(String(type))
        ? []
        : [`type ${JSON.stringify(type)}`]),
    ...(values === undefined || (type === 'string' && isTextList(values)) ? [] : ['enum of what is no text']),
    ...(type === 'array' && !isSchema(node.items) ? ['array without items'] : []),
    ...names.filter((name) => !/^[a-zA-Z_]\w{0,63}$/.test(name)).map((name) => `key ${name}`),
    ...(required as string[]).filter((name) => !names.includes(name)).map((name) => `required ${name}`),
    ...(node.format === undefined || formats[String(type)]?.includes(String(node.format))
      ? []
      : [`format ${node.format}`]),
  ]
}

// "When using any_of, it must be the only field set", but for what describes it.
function unionFaults(node: Schema): string[] {
  return Object.keys(node).flatMap((key) =>
    ['anyOf', 'nullable', 'description', 'title'].includes(key) ? [] : [`${key} beside anyOf`],
  )
}

function isTextList(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.length > 0 &&
    values.every((value) => typeof value === 'string' && value !== '')
  )
}
